# What a simulation and a card say of the same kernels, side by side: silicon.sh. Two frames, the card's (data/silicon)
# and ours in the same columns; -v launch=CYCLES is the machine's launch cost, which the second mean leaves out on both
# sides; -v csv=FILE also writes a row a kernel: column, ours, the card's, ours over the card's.
BEGIN { FS = "," }
/^#/ { next }
FILENAME != file {
    file = FILENAME; files++
    for (i = 1; i <= NF; i++) { column[i] = $i; if (files == 2 && i > 1) name[++names] = $i }
    next
}
files == 1 { for (i = 2; i <= NF; i++) card[$1, column[i]] = $i; next }
{ kernel[++kernels] = $1; for (i = 2; i <= NF; i++) mine[$1, column[i]] = $i }
function known(table, k, c) { return (k, c) in table && table[k, c] != "" }
# Ratios of what is next to nothing on both sides say nothing.
function share(k, c,    a, b) {
    if (!known(mine, k, c) || !known(card, k, c)) return "-"
    a = mine[k, c]; b = card[k, c]
    return a < 500 && b < 500 ? "ok" : b ? sprintf("%.2f", a / b) : "+" a
}
# Reads that a lookup served and those that it did not; together they depend on the program and its shape alone.
function both(k, c, d, e,    i, s, t, n, w) {
    n = split(c, w, " ")
    for (i = 1; i <= n; i++) {
        if (!known(mine, k, w[i]) || !known(card, k, w[i])) return "-"
        s += mine[k, w[i]]; t += card[k, w[i]]
    }
    return s < 500 && t < 500 ? "ok" : t ? sprintf("%.2f", s / t) : "+" s
}
function add(what, a, b,    r) {
    if (a <= 0 || b <= 0) return
    r = a / b - 1; n[what]++; e[what] += r < 0 ? -r : r; bias[what] += r
    x = log(a); y = log(b); sx[what] += x; sy[what] += y; sxx[what] += x * x; syy[what] += y * y; sxy[what] += x * y
    err[what, n[what]] = r < 0 ? -r : r
}
function median(what,    i, j, t) {
    for (i = 2; i <= n[what]; i++)
        for (j = i; j > 1 && err[what, j] < err[what, j - 1]; j--) {
            t = err[what, j]; err[what, j] = err[what, j - 1]; err[what, j - 1] = t
        }
    return (err[what, int((n[what] + 1) / 2)] + err[what, int(n[what] / 2) + 1]) / 2
}
function summary(what, title,    d) {
    if (!n[what]) return
    d = (n[what] * sxx[what] - sx[what] ^ 2) * (n[what] * syy[what] - sy[what] ^ 2)
    printf "%s: %d kernels, mean absolute error %.1f %%, median %.1f %%, mean %+.1f %%, correlation of logarithms %s\n",
        title, n[what],
        100 * e[what] / n[what], 100 * median(what), 100 * bias[what] / n[what],
        (n[what] > 2 && d > 0 ? sprintf("%.3f", (n[what] * sxy[what] - sx[what] * sy[what]) / sqrt(d)) : "-")
}
END {
    if (csv) print "kernel,counter,ours,card,ratio" > csv
    printf "%-26s %9s %9s %6s %6s |%6s %6s %6s %6s |%6s %6s |%6s %6s %6s |%6s %6s\n", "kernel", "cycles", "card",
        "ratio", "net", "L1 rd", "miss", "L1 wr", "hit", "const", "shared",
        "L2 rd", "miss", "L2 wr", "DRAM r", "w"
    for (i = 1; i <= kernels; i++) {
        k = kernel[i]
        a = mine[k, "cycles"]; b = card[k, "cycles"]
        add("all", a, b); add("net", a - launch, b - launch)
        printf "%-26s %9d %9s %6s %6s |%6s %6s %6s %6s |%6s %6s |%6s %6s %6s |%6s %6s\n", k, a, (b == "" ? "-" : b),
            share(k, "cycles"),
            (b > launch ? sprintf("%.2f", (a - launch) / (b - launch)) : "-"),
            both(k, "l1_read_hit l1_read_miss"), share(k, "l1_read_miss"), both(k, "l1_write_hit l1_write_miss"),
                share(k, "l1_write_hit"),
            share(k, "constant"), share(k, "shared"),
            both(k, "l2_read_hit l2_read_miss"), share(k, "l2_read_miss"), share(k, "l2_write_hit"),
                share(k, "dram_read"), share(k, "dram_write")
        for (j = 1; csv && j <= names; j++)
            printf "%s,%s,%s,%s,%s\n", k, name[j], mine[k, name[j]], card[k, name[j]],
                (card[k, name[j]] > 0 && known(mine, k, name[j]) \
                ? sprintf("%.4f", mine[k, name[j]] / card[k, name[j]]) : "") > csv
    }
    summary("all", "cycles")
    summary("net", sprintf("cycles but %d of the launch", launch))
}
