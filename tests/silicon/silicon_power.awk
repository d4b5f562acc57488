# Watts of a simulation and of a card, side by side: silicon.sh --power. The card's frame (data/silicon), ours
# (silicon_power_row.awk), the terms of the model (`warpscape model power --terms`). Below the table by how much the clock
# of an SM with a block, which clock.share of data/tech/energy.ini was fitted for, would have to be multiplied for the
# least squares of errors relative to the card's watts, all else as it is.
BEGIN { FS = "," }
/^#/ { next }
FILENAME != file { file = FILENAME; files++; split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
files == 1 { card[$1] = $at["watts"]; next }
files == 2 { kernel[++kernels] = $1; watts[$1] = $2; busy[$1] = $3; next }
$1 == "clock" && $3 == "sm.busy_cycles" { each = $(NF - 2) }
END {
    if (csv) print "kernel,ours,card,ratio" > csv
    printf "%-26s %8s %8s %6s\n", "kernel", "watts", "card", "ratio"
    for (i = 1; i <= kernels; i++) {
        k = kernel[i]; a = watts[k]; b = card[k]
        printf "%-26s %8.1f %8s %6s\n", k, a, (b == "" ? "-" : b), (b > 0 ? sprintf("%.2f", a / b) : "-")
        if (csv) printf "%s,%s,%s,%s\n", k, a, b, (b > 0 ? sprintf("%.4f", a / b) : "") > csv
        if (!(b > 0)) continue
        r = a / b - 1; n++; e += r < 0 ? -r : r; bias += r; if (r < 0) r = -r; if (r > worst) { worst = r; who = k }
        sx += a; sy += b; sxx += a * a; syy += b * b; sxy += a * b
        x = busy[k] * each / b
        xx += x * x; xz += x * (1 - a / b + x)
    }
    d = (n * sxx - sx * sx) * (n * syy - sy * sy)
    if (n)
        printf "watts: %d kernels, mean absolute error %.1f %%, mean %+.1f %%, worst %.1f %% (%s), correlation %s\n", n,
            100 * e / n, 100 * bias / n, 100 * worst, who,
        (n > 2 && d > 0 ? sprintf("%.3f", (n * sxy - sx * sy) / sqrt(d)) : "-")
    if (n > 1 && xx > 0)
        printf "least squares: the clock of a busy SM %.2f times as much\n", xz / xx
}
