# Cycles of ours (KERNEL CYCLES a line) and of a peer (a file of tests/peers), side by side: run_peers.sh. -v
# launch=CYCLES is left out on both sides in `net`; -v csv=FILE also writes the table. The rule is that of the peer's
# file. -v pipeline=1: ours were simulated with the times of its line `pipeline`, and only mean and correlation are
# said, against what is `within`.
function positive(x) { return x < 0 ? -x : x }
function correlation(    d) {
    d = (n * xx - x * x) * (n * yy - y * y)
    return n > 2 && d > 0 ? (n * xy - x * y) / sqrt(d) : 0
}
function verdict(passes, text) {
    if (passes) { passed++; return }
    failed++
    print text
}
/^#/ || NF == 0 { next }
NR == FNR { ours[$1] = $2; next }
$1 == "options" || $1 == "pipeline" { next }
$1 == "within" { if (pipeline) { rule["mean"] = $2; rule["correlation"] = $3 }; next }
$1 == "most" || $1 == "mean" || $1 == "correlation" { if (!($1 in rule)) rule[$1] = $2; next }
$1 == "off" { low[$2] = $3; high[$2] = $4; next }
{ name[++kernels] = $1; theirs[$1] = $2 }
END {
    passed += before == "passed"
    failed += before == "failed"
    if (csv) print "kernel,ours,theirs,ratio,net" > csv
    for (i = 1; i <= kernels; i++) {
        k = name[i]
        if (!(k in ours) || ours[k] <= launch) { verdict(0, "peers: " k ": was not simulated"); continue }
        a = ours[k] - launch; b = theirs[k] - launch; r = a / b
        if (!(k in low)) { others++; rest += positive(r - 1) }
        n++; gross += positive(ours[k] / theirs[k] - 1); net += positive(r - 1)
        x += log(a); y += log(b); xx += log(a) ^ 2; yy += log(b) ^ 2; xy += log(a) * log(b)
        if (pipeline) continue
        printf "%-20s %8d %8d  ratio %5.3f  net %5.3f%s\n", k, ours[k], theirs[k], ours[k] / theirs[k], r,
            k in low ? "  (off: known)" : ""
        if (csv) printf "%s,%d,%d,%.3f,%.3f\n", k, ours[k], theirs[k], ours[k] / theirs[k], r > csv
        if (!(k in low))
            verdict(positive(r - 1) * 100 <= rule["most"],
                sprintf("peers: %s: %+.1f %% net of launch cost, at most %d %%; find out why, and mend it or give " \
                    "it a row `off`", k, 100 * (r - 1), rule["most"]))
        else {
            verdict(r >= low[k] && r <= high[k],
                sprintf("peers: %s: ratio net of launch cost %.3f is outside of %s to %s, as its row `off` has it", k,
                r, low[k], high[k]))
            if (positive(r - 1) * 100 <= rule["most"])
                printf "peers: %s is mended: %+.1f %%; take its row `off` away\n", k, 100 * (r - 1)
        }
    }
    for (k in low) if (!(k in theirs)) verdict(0, "peers: " k ": a row `off`, but no cycles")
    if (others && !pipeline)
        printf "%d kernels without a row `off`: mean absolute error net of launch cost %.1f %%\n", others,
            100 * rest / others
    if (n) {
        printf "%d kernels%s: mean absolute error %.1f %%, net of launch cost %.1f %%; correlation of logarithms of " \
            "net cycles %.4f\n", n, pipeline ? " with the pipeline of the peer" : "", 100 * gross / n, 100 * net / n,
            correlation()
        verdict(100 * net / n <= rule["mean"],
            sprintf("peers: mean absolute error %.1f %% net of launch cost, at most %s %%", 100 * net / n,
            rule["mean"]))
        verdict(correlation() >= rule["correlation"], sprintf("peers: correlation %.4f, at least %s", correlation(),
            rule["correlation"]))
    }
    if (!pipeline) printf "peers: %d passed, %d failed\n", passed, failed
    exit failed > 0 || !passed
}
