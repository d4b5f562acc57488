# chiplets_caches.awk - does CPCoh get ahead of HMG where inputs exceed caches? Percents that HMG has more than CPCoh,
# as the text has it or with L2s that keep lines of others, from what Dalmia (2023) prints (data/published/chiplets.csv)
# and lines "SCALE BY CHIPLETS RUN WORKLOAD COLUMN VALUE" of `tests/studies/reproduce_chiplets.sh ... caches`: RUN is
# text, kept or hmg with "-SETS", of hmg "-SETS-ENTRIES-HOME". Bold: more than 1 %.
# variables: dir; or sample: rows of these workloads alone, to standard output

BEGIN {
    # SETS-ENTRIES-HOME: how L2s and directories stand to those of the machine; a directory of 12288 entries for an L2
    # of 8 MB, so 3072 for ours.
    variants = split("256-3072-first-touch 64-768-first-touch 16-192-first-touch 4-48-first-touch " \
        "16-3072-first-touch 4-3072-first-touch 256-192-first-touch 256-48-first-touch 256-3072-hashed " \
        "256-192-hashed 256-3072-first-touch-alone 256-3072-hashed-alone", variant, " ")
    split("as they are|both 1/4|both 1/16|both 1/64|L2s 1/16|L2s 1/64|directories 1/16|directories 1/64|HMG's homes " \
        "by hash|by hash, directories 1/16|HMG: lines at home alone|by hash, at home alone", title, "|")
    modelled = variants - 2
    # Of her inputs over her L2s of 4 times 8 MB: bytes of the arrays of such a program (of the others the size of the
    # graph or mesh is not said).
    l2s = 4 * 8 * 1024 ^ 2
    hers["GS"] = 2 * 256 ^ 2 * 4 / l2s
    hers["SRAD2"] = 6 * 2048 ^ 2 * 4 / l2s
    hers["HS"] = 3 * 512 ^ 2 * 4 / l2s
    hers["LU"] = 512 ^ 2 * 4 / l2s
    hers["BP"] = 65536 * (2 * 17 + 1) * 4 / l2s
    hers["FW"] = 512 ^ 2 * 4 / l2s
    hers["H3D"] = 3 * 512 ^ 2 * 8 * 4 / l2s
    hers["BABEL"] = 3 * 524288 * 8 / l2s
    hers["SQUARE"] = 2 * 524288 * 4 / l2s
    region = 4 * 64 # bytes of an entry
}
FILENAME == "tests/studies/chiplets_workloads.txt" {
    if (!/^#/ && NF) { names = names " " $1; if ($3 == "low") low = low " " $1 }
    next
}
FILENAME ~ /[.]csv$/ { if (!/^#/) printed[$1, $2, $3, $4] = $5; next }
{
    if ($2 == "model" && $4 == "text-256" && !($5 in seen)) { seen[$5] = 1; list[++count] = $5 }
    v[$1 == "tiny" ? "tiny" : $2, $4, $5, $6] = $7
}

function sets(i) { return substr(variant[i], 1, index(variant[i], "-") - 1) }
function entries(i,    f) { split(variant[i], f, "-"); return f[2] }
# HMG over the other one, percent more; "" when one has not run.
function more(i, by, of, w, what,    a, b) {
    if (!((by, "hmg-" variant[i], w, what) in v) || !((by, of "-" sets(i), w, what) in v)) return ""
    a = v[by, "hmg-" variant[i], w, what]; b = v[by, of "-" sets(i), w, what]
    return b > 0 ? 100 * (a / b - 1) : ""
}
function shown(x, format,    s) { if (x == "") return "-"; s = sprintf(format, x); return x > 1 ? "**" s "**" : s }
# Over all that have it, a geometric mean, and of how many HMG has more.
function all(i, by, of, what,    k, x, n, won, sum) {
    for (k = 1; k <= count; k++) {
        x = more(i, by, of, list[k], what)
        if (x == "") continue
        n++; won += x > 1; sum += log(1 + x / 100)
    }
    return n ? shown(100 * (exp(sum / n) - 1), "%+.0f %%") " (" won " of " n ")" : "-"
}
function median_of(x, n,    i, j, t) {
    for (i = 2; i <= n; i++) for (j = i; j > 1 && x[j - 1] > x[j]; j--) { t = x[j]; x[j] = x[j - 1]; x[j - 1] = t }
    return n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
}
# The median footprint over all L2s: that of the model is of such L2s as it has.
function fill(i,    k, x) {
    for (k = 1; k <= count; k++) x[k] = v["model", "text-" sets(i), list[k], "footprint"]
    return median_of(x, count)
}
function reach(i,    k, x) {
    for (k = 1; k <= count; k++)
        x[k] = v["model", "text-256", list[k], "footprint"] * 8 * 1024 ^ 2 / (4 * entries(i) * region)
    return median_of(x, count)
}
function hits(run,    k, sum) {
    for (k = 1; k <= count; k++) sum += 100 * (1 - v["model", run, list[k], "miss_rate"])
    return sum / count
}
function took(run, w, what) { return v["tiny", run, w, what] }
# Percent that HMG takes longer than `run`, mean; sign: that it has to have, 0: within 5 %.
function time_row(claim, theirs, run, set, sign,    w, n, k, of, m, i, x, holds, line) {
    n = split(set, w, " "); m = split("hmg hashed-hmg hmg-alone hashed-hmg-alone", of, " ")
    line = "| " claim " | " theirs " |"
    for (i = 1; i <= m; i++) {
        x = 0
        for (k = 1; k <= n; k++) x += 100 * (took(of[i], w[k], "cycles") / took(run, w[k], "cycles") - 1) / n
        holds = sign ? sign * x > 1 : x < 5 && x > -5
        line = line " " (holds ? "**" : "") sprintf("%+.0f %%", x) (holds ? "**" : "") " |"
    }
    print line > file
}
function told(arguments, w, what) { return v["model", "arguments-" arguments, w, what] }
function program_row(w,    i, line) {
    line = "| " w " | " (w in hers ? sprintf("%.2f", hers[w]) : "-") ", " \
        sprintf("%.2f", v["model", "text-256", w, "footprint"]) " |"
    for (i = 1; i <= modelled; i++)
        line = line " " shown(more(i, "model", "text", w, "home_flits"), "%+.0f") ", " \
            shown(more(i, "model", "text", w, "remote_flits"), "%+.0f") ", " \
            shown(more(i, "model", "text", w, "energy"), "%+.0f") " |"
    return line
}

END {
    if (sample != "") { for (k = 1; k <= count; k++) print program_row(list[k]); exit }
    file = dir "/caches.md"
    print "| L2s, directories | footprint over L2s; over reach of directories (medians) | L2 hits, %: cpcoh, hmg | " \
        "flits to homes | over links | energy | kept: flits to homes | over links | energy | simulated, free: " \
        "cycles | energy | kept: cycles |" > file
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |" > file
    printf "| hers, of all | | | %+.0f %% | %+.0f %% | %+.0f %% | | | | %+.0f %% | %+.0f %% | |\n",
        100 * (1 / (1 - printed["home", "hmg", "all", 4] / 100) - 1), printed["remote", "hmg", "all", 4],
        100 * (1 / (1 - printed["energy", "hmg", "all", 4] / 100) - 1), printed["time", "hmg", "all", 4],
            100 * (1 / (1 - printed["energy", "hmg", "all", 4] / 100) - 1) > file
    for (i = 1; i <= variants; i++)
        printf "| %s | %.2f; %.2f | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", title[i], fill(i), reach(i),
            (i > modelled ? "-" : sprintf("%.0f, %.0f", hits("text-" sets(i)), hits("hmg-" variant[i]))),
            all(i, "model", "text", "home_flits"), all(i, "model", "text", "remote_flits"),
            all(i, "model", "text", "energy"), all(i, "model", "kept", "home_flits"),
                all(i, "model", "kept", "remote_flits"), all(i, "model", "kept", "energy"),
                all(i, "sim", "text", "cycles"), all(i, "sim", "text", "joules"), all(i, "sim", "kept", "cycles") > file
    close(file)
    file = dir "/caches_times.md"
    table_head("| | theirs | as they are | HMG's homes by hash | lines at home alone | by hash, at home alone |", file)
    time_row("C2 all", printed["time", "hmg", "all", 4] " %", "free", names, 1)
    time_row("C10 BabelStream", printed["time", "hmg", "BABEL", 4] " %", "free", "BABEL", 1)
    time_row("C10 Square", printed["time", "hmg", "SQUARE", 4] " %", "free", "SQUARE", 1)
    time_row("C10 FW, Color-max, SSSP", printed["time", "hmg", "FW GCL SSP", 4] " %", "free", "FW GCL SSP", 1)
    time_row("C10 Lulesh", printed["time", "hmg", "LUL", 4] " %", "free", "LUL", 1)
    time_row("C11 Pennant, LUD, CNN, Hotspot, Pathfinder, DWT2D, HACC (rule: within 5 %)", "equal", "free",
        "PEN LU CNN HS PF DWT HACC", 0)
    time_row("C12 GRU, LSTM", printed["time", "hmg", "GRU LSTM", 4] " %", "free", "GRU LSTM", -1)
    time_row("C13 boundary, programs without reuse", printed["baseline", "hmg", "low", 4] " %", "boundary", low, 1)
    n = split("256-3072-first-touch 256-3072-hashed 256-3072-first-touch-alone 256-3072-hashed-alone", of, " ")
    for (k = 1; k <= count; k++) if (("sim", "text-256", list[k], "cycles") in v) {
        line = "| small, " list[k] " | " (("time", "hmg", list[k], 4) in printed ? printed["time", "hmg", list[k], 4] \
            " %" : "") " |"
        for (i = 1; i <= n; i++)
            line = line " " shown(100 * (v["sim", "hmg-" of[i], list[k], "cycles"] \
                / v["sim", "text-256", list[k], "cycles"] - 1), "%+.0f %%") " |"
        print line > file
    }
    close(file)
    file = dir "/caches_weights.md"
    table_head("| | as it is | homes by hash | a link without latency | lines of others kept |", file)
    m = split("GRU LSTM", w, " "); n = split("text hashed link kept", of, " ")
    for (k = 1; k <= m; k++) {
        line = "| " w[k] " |"
        for (i = 1; i <= n; i++)
            line = line " " shown(100 * (took(of[i] "-boundary", w[k], "cycles") / took(of[i] "-free", w[k], "cycles") \
                - 1), "%+.0f %%") sprintf("; %.2f |", took(of[i] "-free", w[k], "l2_misses") \
                / took(of[i] "-boundary", w[k], "l2_misses"))
        print line > file
    }
    close(file)
    file = dir "/caches_structures.md"
    table_head("| | most of a kernel | 4 told apart: put together, operations, flits to homes | 8 | 12 | 16 |", file)
    m = split("PEN LUL HACC", w, " "); n = split("4 8 12 16", of, " ")
    for (k = 1; k <= m; k++) {
        line = "| " w[k] " | " told(16, w[k], "structures_most") " |"
        for (i = 1; i <= n; i++)
            line = line " " told(of[i], w[k], "merged") ", " told(of[i], w[k], "acquires") " + " \
                told(of[i], w[k], "releases") ", " told(of[i], w[k], "home_flits") " |"
        print line > file
    }
    close(file)
    file = dir "/caches_programs.md"
    line = "| | footprint over L2s: hers, ours |"
    for (i = 1; i <= modelled; i++) line = line " " title[i] " |"
    print line "\n" rule_of(modelled + 2) > file
    for (k = 1; k <= count; k++) print program_row(list[k]) > file
    close(file)
}
function rule_of(n,    i, s) { s = "|"; for (i = 1; i <= n; i++) s = s " --- |"; return s }
