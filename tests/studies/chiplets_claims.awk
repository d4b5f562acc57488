# chiplets_claims.awk - coherence between chiplets (Dalmia, 2023, chapter 5) from the table of workloads, what she
# prints and lines "SCALE BY CHIPLETS RUN WORKLOAD COLUMN VALUE" (tests/studies/reproduce_chiplets.sh): in `dir` the
# claims, "| claim | theirs | ours | same direction? |", the tables of policies and of workloads, and frames of figures.
# Means are arithmetic, as hers, over the workloads that have the number. "Same direction" is what stands in brackets,
# or the same sign by more than 1 %. HMG is hers, with homes by hash: run hashed-hmg; hmg has homes by first touch, as
# all others.
# variables: dir; sample (rows of workloads alone, to standard output)

FILENAME == "tests/studies/chiplets_workloads.txt" {
    if (!/^#/ && NF) { list[++count] = $1; name[$1] = $2; class[$1] = $3 }
    next
}
FILENAME ~ /[.]csv$/ {
    if (!/^#/ && $1 != "quantity") { printed[$1, $2, $3, $4] = $5; lower[$1, $2, $3, $4] = $6 }
    next
}
{ v[$1, $2, $3, $4, $5, $6] = $7; ran[$1, $2, $3, $4, $5] = 1 }

# ------------------------------------------------------------------------------ a number of ours: "" when there is none

function get(scale, by, chips, run, w, what) { return v[scale, by, chips, run, w, what] }
function raw(what, scale, chips, run, w) {
    if (what == "time" || what == "joules")
        return (scale, "sim", chips, run, w) in ran ? get(scale, "sim", chips, run, w,
            what == "time" ? "cycles" : what) : ""
    if (!((scale, "model", chips, run, w) in ran)) return ""
    if (what == "noc")
        return get(scale, "model", chips, run, w, "l1_flits") + get(scale, "model", chips, run, w, "home_flits")
    if (what == "home" || what == "remote") return get(scale, "model", chips, run, w, what "_flits")
    if (what == "operations")
        return get(scale, "model", chips, run, w, "acquires") + get(scale, "model", chips, run, w, "releases")
    if (what == "hits") return 100 * (1 - get(scale, "model", chips, run, w, "miss_rate"))
    return get(scale, "model", chips, run, w, what)
}
function over(what, scale, chips, run, base, w,    a, b) {
    a = raw(what, scale, chips, run, w); b = raw(what, scale, chips, base, w)
    return a == "" || b == "" || b == 0 ? "" : a / b
}
# Percent: faster, fewer, points more.
function better(what, scale, chips, run, base, w,    x) {
    if (what == "hits")
        return raw("hits", scale, chips, run, w) == "" ? "" : raw("hits", scale, chips, run, w) \
            - raw("hits", scale, chips, base, w)
    x = over(what, scale, chips, run, base, w)
    return x == "" ? "" : what == "time" ? 100 * (1 / x - 1) : 100 * (1 - x)
}
function belongs(w, set) { return set == "all" || set == class[w] || (" " set " ") ~ (" " w " ") }
function mean(what, scale, chips, run, base, set,    i, n, x, sum) {
    for (i = 1; i <= count; i++)
        if (belongs(list[i], set)) {
            x = better(what, scale, chips, run, base, list[i])
            if (x != "") { sum += x; n++ }
        }
    return n ? sum / n : ""
}
function with(what, scale, set,    i, n) {
    for (i = 1; i <= count; i++) n += belongs(list[i], set) && raw(what, scale, 4, "free", list[i]) != ""
    return n + 0
}
# Her inputs on chiplets of her size (scale hers) have all of them: these are what is judged, else scale tiny.
function judged(set) { return with("time", "hers", set) == with("time", "tiny", set) ? "hers" : "tiny" }
function mean_over(what, scale, chips, run, base, set,    i, n, x, sum) {
    for (i = 1; i <= count; i++)
        if (belongs(list[i], set)) { x = over(what, scale, chips, run, base, list[i]); if (x != "") { sum += x; n++ } }
    return n ? sum / n : ""
}
# The middle one of a run over another, for means that one workload makes.
function median_over(what, scale, chips, run, base, set,    i, j, n, x, at) {
    for (i = 1; i <= count; i++) if (belongs(list[i], set)) {
        x = over(what, scale, chips, run, base, list[i])
        if (x == "") continue
        for (j = n++; j > 0 && at[j] > x; j--) at[j + 1] = at[j]
        at[j + 1] = x
    }
    return n ? (at[int((n + 1) / 2)] + at[int(n / 2) + 1]) / 2 : ""
}
function reuse(scale, chips, w) {
    return raw("hits", scale, chips, "ideal", w) == "" ? "" : raw("hits", scale, chips, "ideal", w) \
        - raw("hits", scale, chips, "boundary", w)
}
function text(x, format) { return x == "" ? "-" : sprintf(format, x) }
function signed(x) { return text(x, "%+.0f %%") }

# ------------------------------------------------------------------------------------------------ tables

function ratios(what, scale, chips, w, format) {
    return text(over(what, scale, chips, "cpcoh", "boundary", w), format) ", " \
        text(over(what, scale, chips, "hashed-hmg", "boundary", w), format)
}
function operations(scale, chips, run, w) {
    return raw("operations", scale, chips, "boundary", w) ": " get(scale, "model", chips, run, w, "acquires") " + " \
        get(scale, "model", chips, run, w, "releases")
}
function times(scale, chips, w) {
    return text(over("time", scale, chips, "cpcoh", "boundary", w), "%.2f") ", " \
        text(over("time", scale, chips, "free", "boundary", w), "%.2f") ", " \
        text(over("time", scale, chips, "hashed-hmg", "boundary", w), "%.2f") ", " \
        text(over("time", scale, chips, "hmg", "boundary", w), "%.2f")
}
function workload_row(w) {
    return "| " w ", " name[w] " | " raw("structures_most", "tiny", 4, "cpcoh", w) " | " \
        operations("tiny", 4, "cpcoh", w) " | " text(reuse("tiny", 4, w), "%.1f") " | " \
        text(raw("hits", "tiny", 4, "boundary", w), "%.1f") ", " \
        text(raw("hits", "tiny", 4, "cpcoh", w), "%.1f") ", " text(raw("hits", "tiny", 4, "hashed-hmg", w), "%.1f") \
            " | " times("tiny", 4, w) " | " ratios("joules", "tiny", 4, w, "%.3f") " | " \
            ratios("energy", "tiny", 4, w, "%.3f") " |"
}
function workloads(file,    i) {
    table_head("| | data structures, at most | operations: boundary, cpcoh | reuse, points | L2 hits, %: boundary, " \
        "cpcoh, hmg | cycles over boundary: cpcoh, free, hmg, by first touch | energy, simulated: cpcoh, hmg | by " \
        "the model |", file)
    for (i = 1; i <= count; i++) print workload_row(list[i]) > file
    close(file)
}
function small(file,    i, w) {
    table_head("| | reuse, points; theirs | operations: boundary, cpcoh | L2 hits, %: boundary, cpcoh, hmg | home " \
        "flits over boundary: cpcoh, hmg; cpcoh and hmg where lines of others are kept | flits over links: hmg over " \
        "cpcoh, by first touch | energy: cpcoh, hmg | cycles: cpcoh, free, hmg, by first touch |", file)
    for (i = 1; i <= count; i++) {
        w = list[i]
        if (!(("small", "model", 4, "cpcoh", w) in ran)) continue
        print "| " w ", " name[w] " | " text(reuse("small", 4, w), "%.1f") "; " class[w] " | " \
            operations("small", 4, "cpcoh", w) " | " text(raw("hits", "small", 4, "boundary", w), "%.1f") ", " \
            text(raw("hits", "small", 4, "cpcoh", w), "%.1f") ", " \
            text(raw("hits", "small", 4, "hashed-hmg", w), "%.1f") " | " ratios("home", "small", 4, w, "%.2f") "; " \
                text(over("home", "small", 4, "keep-cpcoh", "keep-boundary", w), "%.2f") ", " \
                text(over("home", "small", 4, "hashed-hmg", "keep-boundary", w), "%.2f") " | " \
            text(over("remote", "small", 4, "hashed-hmg", "cpcoh", w), "%.2f") ", " \
                text(over("remote", "small", 4, "hmg", "cpcoh", w), "%.2f") " | " \
                ratios("energy", "small", 4, w, "%.3f") " | " times("small", 4, w) " |" > file
    }
    close(file)
}
function policies(file,    chips, k, n, run, m, j) {
    table_head("| chiplets | policy | operations, % of boundary | L2 hits, points more | flits of all networks | " \
        "home flits | flits over links | energy | energy, simulated | cycles, simulated |", file)
    n = split("2 4 8", chips, " "); m = split("cpcoh free flat-cpcoh keep-cpcoh ideal hashed-hmg hmg", run, " ")
    for (k = 1; k <= n; k++) for (j = 1; j <= m; j++) if (chips[k] == 4 || run[j] !~ /-cpcoh/)
        print "| " chips[k] " | " (run[j] == "hashed-hmg" ? "hmg" : run[j] == "hmg" ? "hmg, by first touch" : run[j]) \
            " | " text(run[j] ~ /cpcoh/ ? 100 * mean_over("operations", "small", chips[k], run[j], "boundary", "all") \
            : "", "%.0f") " | " text(mean("hits", "small", chips[k], run[j], "boundary", "all"), "%.1f") " | " \
            text(mean_over("noc", "small", chips[k], run[j], "boundary", "all"), "%.3f") " | " \
                text(mean_over("home", "small", chips[k], run[j], "boundary", "all"), "%.3f") " | " \
                text(mean_over("remote", "small", chips[k], run[j], "boundary", "all"), "%.3f") " | " \
            text(mean_over("energy", "small", chips[k], run[j], "boundary", "all"), "%.3f") " | " \
                text(mean_over("joules", "tiny", chips[k], run[j], "boundary", "all"), "%.3f") " | " \
                text(mean_over("time", "tiny", chips[k], run[j], "boundary", "all"), "%.3f") " |" > file
    close(file)
}

# ------------------------------------------------------------------------------------------------ claims

BEGIN { rows_to = dir "/claims.md" }
function theirs(what, against, of, chips,    k) {
    k = what SUBSEP against SUBSEP of SUBSEP chips
    return (lower[k] != "NA" ? lower[k] " or " : "") printed[k] " %"
}
# A number of hers beside the mean over the same workloads.
function at_scale(scale, said, run, free, base, of) {
    return said (with("time", scale, of) < with("time", "tiny", of) ? ", " with("time", scale, of) " of them," : "") \
        " " signed(mean("time", scale, 4, run, base, of)) (free != "" ? ", " free " " \
        signed(mean("time", scale, 4, free, base, of)) : "")
}
function times_against(run, free, base, of,    x) {
    if (with("time", "hers", of)) x = at_scale("hers", "her inputs", run, free, base, of) "; "
    x = x at_scale("tiny", "tiny", run, free, base, of)
    return with("time", "small", of) ? x "; " at_scale("small", "small", run, free, base, of) : x
}
function measured(what, scale, base, of) {
    if (what == "time") return times_against("cpcoh", "free", base, of)
    return what == "hits" ? text(mean(what, scale, 4, "cpcoh", base, of), "%+.0f points") \
        : signed(mean(what, scale, 4, "cpcoh", base, of))
}
function compare(claim, what, against, of, scale,    x, as, base) {
    as = what == "joules" ? "energy" : what
    base = against == "hmg" ? "hashed-hmg" : against
    x = mean(what, what == "time" ? judged(of) : scale, 4, "cpcoh", base, of)
    row(claim, theirs(as, against, of, 4), measured(what, scale, base,
        of) (base != against ? ". Its homes by first touch: " measured(what, scale, against, of) : ""), x != "" &&
        (printed[as, against, of, 4] > 0 ? x > 1 : x < -1))
}
function classes(    i, n, all, x) {
    for (i = 1; i <= count; i++) {
        x = reuse("small", 4, list[i])
        if (x == "") continue
        all++; n += (x > 15) == (class[list[i]] == "high")
    }
    return n " of " all
}
function elided(run, names,    w, n, i, ok) {
    n = split(names, w, " "); ok = 1
    for (i = 1; i <= n; i++)
        ok = ok && ("small", "model", 4, run, w[i]) in ran && get("small", "model", 4, run, w[i], "acquires") == 0 &&
            get("small", "model", 4, run, w[i], "releases") <= 4
    return ok
}
function worst(what, scale, run, base, set,    i, x, low) {
    low = ""
    for (i = 1; i <= count; i++)
        if (belongs(list[i], set)) {
            x = better(what, scale, 4, run, base, list[i])
            if (x != "" && (low == "" || x < low)) { low = x; worst_at = list[i] }
        }
    return low
}
function claims(    a, b, c, d, i) {
    compare("C1 Time against boundary, all", "time", "boundary", "all", "tiny")
    compare("C1 Energy against boundary, all (simulated)", "joules", "boundary", "all", "tiny")
    compare("C1 ... of L2s, networks and homes alone, small", "energy", "boundary", "all", "small")
    compare("C1 Flits of all networks against boundary", "noc", "boundary", "all", "small")
    compare("C2 Time against HMG, all", "time", "hmg", "all", "tiny")
    compare("C2 Energy against HMG, all (simulated)", "joules", "hmg", "all", "tiny")
    compare("C2 ... of L2s, networks and homes alone, small", "energy", "hmg", "all", "small")
    compare("C2 Flits of all networks against HMG", "noc", "hmg", "all", "small")
    compare("C3 Time against boundary, programs with reuse", "time", "boundary", "high", "tiny")
    compare("C3 Time against HMG, programs with reuse", "time", "hmg", "high", "tiny")
    row("C3 Classes of reuse: above 15 points or not (rule: four of five)", "22 of 22", classes(),
        classes() + 0 >= 0.8 * substr(classes(), index(classes(), "of ") + 3))
    compare("C4 L2 hits, programs with reuse, points more than boundary", "hits", "boundary", "high", "small")
    row("C5 BabelStream, Square: nothing but a last release of each chiplet", "yes",
        operations("small", 4, "cpcoh", "BABEL") "; " operations("small", 4, "cpcoh", "SQUARE"),
        elided("cpcoh", "BABEL SQUARE"))
    row("C5 ... Square, rows without ranges as in the public code", "yes",
        operations("small", 4, "flat-cpcoh", "SQUARE"), elided("flat-cpcoh", "SQUARE"))
    compare("C5 Time against boundary: BabelStream, Square", "time", "boundary", "BABEL SQUARE", "tiny")
    compare("C6 ... GRU, LSTM", "time", "boundary", "GRU LSTM", "tiny")
    compare("C7 ... Hotspot3D", "time", "boundary", "H3D", "tiny")
    compare("C7 ... Color-max", "time", "boundary", "GCL", "tiny")
    compare("C7 ... SSSP", "time", "boundary", "SSP", "tiny")
    compare("C7 ... BFS", "time", "boundary", "BFS", "tiny")
    compare("C7 ... Pennant", "time", "boundary", "PEN", "tiny")
    compare("C7 ... Lulesh", "time", "boundary", "LUL", "tiny")
    compare("C7 ... Backprop", "time", "boundary", "BP", "tiny")
    compare("C7 ... LUD", "time", "boundary", "LU", "tiny")
    a = mean("time", "tiny", 4, "cpcoh", "boundary", "HS CNN FW GS HACC")
    row("C8 ... Hotspot, CNN, FW, Gaussian, HACC (rule: within 5 %)", "small",
        measured("time", "tiny", "boundary", "HS CNN FW GS HACC"), a < 5 && a > -5)
    a = mean("time", "tiny", 4, "cpcoh", "boundary", "low")
    row("C9 ... programs without reuse (rule: within 5 %)", "about equal", measured("time", "tiny", "boundary", "low"),
        a < 5 && a > -5)
    compare("C10 Time against HMG: BabelStream", "time", "hmg", "BABEL", "tiny")
    compare("C10 ... Square", "time", "hmg", "SQUARE", "tiny")
    compare("C10 ... FW, Color-max, SSSP", "time", "hmg", "FW GCL SSP", "tiny")
    compare("C10 ... Lulesh", "time", "hmg", "LUL", "tiny")
    a = mean("time", "tiny", 4, "cpcoh", "hashed-hmg", "PEN LU CNN HS PF DWT HACC")
    row("C11 ... Pennant, LUD, CNN, Hotspot, Pathfinder, DWT2D, HACC (rule: within 5 %)", "equal",
        measured("time", "tiny", "hashed-hmg", "PEN LU CNN HS PF DWT HACC") ". Its homes by first touch: " \
        measured("time", "tiny", "hmg", "PEN LU CNN HS PF DWT HACC"), a < 5 && a > -5)
    compare("C12 ... GRU, LSTM", "time", "hmg", "GRU LSTM", "tiny")
    a = mean("time", "tiny", 4, "boundary", "hashed-hmg", "low")
    row("C13 Boundary against HMG, time, programs without reuse", theirs("baseline", "hmg", "low", 4),
        times_against("boundary", "", "hashed-hmg", "low") ". Its homes by first touch: " \
        times_against("boundary", "", "hmg", "low"), a > 1)
    a = worst("time", "tiny", "hashed-hmg", "boundary", "all")
    row("C13 Worst for HMG (rule: one of these)", "BTree, SRAD_v2", worst_at " " signed(a), worst_at == "BTREE" ||
        worst_at == "SRAD2")
    a = mean("home", "small", 4, "cpcoh", "hashed-hmg", "all")
    row("C14 Flits between L2s and homes: fewer than HMG", theirs("home", "hmg", "all", 4),
        signed(a) "; lines of others kept " signed(mean("home", "small", 4, "keep-cpcoh", "hashed-hmg", "all")) \
        ". Its homes by first touch: " signed(mean("home", "small", 4, "cpcoh", "hmg", "all")), a > 1)
    a = 100 * (mean_over("remote", "small", 4, "hashed-hmg", "cpcoh", "all") - 1)
    row("C15 Flits over links: HMG has more", theirs("remote", "hmg", "all", 4),
        signed(a) ", median " signed(100 * (median_over("remote", "small", 4, "hashed-hmg", "cpcoh", "all") - 1)) \
        "; lines of others kept " signed(100 * (mean_over("remote", "small", 4, "hashed-hmg", "keep-cpcoh", "all") \
        - 1)) ". Its homes by first touch: " signed(100 * (mean_over("remote", "small", 4, "hmg", "cpcoh", "all") - 1)),
        a > 1)
    a = mean("time", "tiny", 2, "cpcoh", "hashed-hmg", "all"); b = mean("time", "tiny", 4, "cpcoh", "hashed-hmg", "all")
    row("C16 Two chiplets: less before HMG than with four", theirs("margin", "hmg", "all", 2) " less",
        signed(a) " with two, " signed(b) " with four, " signed(mean("time", "tiny", 8, "cpcoh", "hashed-hmg", "all")) \
        " with eight", a < b)
    a = mean("time", "tiny", 2, "cpcoh", "boundary", "BP H3D SSP")
    row("C16 Two chiplets: nothing gained by Backprop, Hotspot3D, SSSP (rule: less than 5 %)", "0 %", signed(a), a < 5)
    a = mean("time", "tiny", 2, "hashed-hmg", "cpcoh", "SRAD2 DWT")
    row("C16 Two chiplets: HMG better on SRAD_v2, DWT2D", "much", signed(a), a > 1)
    a = mean("fetches", "small", 4, "ideal", "boundary", "high")
    row("C17 What boundaries cost: L2 fetches that caches without boundaries spare, programs with reuse (rule: " \
        "above 10 %)", "54 % of performance", signed(a), a > 10)
    a = 0; b = 0
    for (i = 1; i <= count; i++) {
        c = raw("structures_most", "small", 4, "cpcoh", list[i])
        if (c == "") c = raw("structures_most", "tiny", 4, "cpcoh", list[i])
        if (c > a) { a = c; d = list[i] }
        b += get("small", "model", 4, "cpcoh", list[i], "merged")
    }
    row("C18 Data structures of a kernel, at most", "8", a " (" d "), " b " put together", a <= 8)
    close(dir "/claims.md")
}

# ------------------------------------------------------------------------------------------------ frames of figures

function frames(    i, w) {
    open_frame("time", "workload", "cpcoh,free,hmg,hmg_by_first_touch", "cycles%20over%20boundary")
    open_frame("hits", "workload", "boundary,cpcoh,ideal,hmg", "percent%20of%20loads")
    open_frame("operations", "workload", "two,four,eight", "percent%20of%20boundary")
    open_frame("traffic", "workload", "cpcoh,hmg,hmg_by_first_touch,cpcoh_keeps", "flits%20over%20boundary")
    open_frame("energy", "workload", "cpcoh,ideal,hmg", "energy%20over%20boundary")
    for (i = 1; i <= count; i++) {
        w = list[i]
        printf "%s,%.4f,%.4f,%.4f,%.4f\n", w, over("time", "tiny", 4, "cpcoh", "boundary", w),
            over("time", "tiny", 4, "free", "boundary", w), over("time", "tiny", 4, "hashed-hmg", "boundary", w),
            over("time", "tiny", 4, "hmg", "boundary", w) > (dir "/time.csv")
        if (!(("small", "model", 4, "cpcoh", w) in ran)) continue
        printf "%s,%.3f,%.3f,%.3f,%.3f\n", w, raw("hits", "small", 4, "boundary", w),
            raw("hits", "small", 4, "cpcoh", w), raw("hits", "small", 4, "ideal", w),
            raw("hits", "small", 4, "hashed-hmg", w) > (dir "/hits.csv")
        printf "%s,%.3f,%.3f,%.3f\n", w, 100 * over("operations", "small", 2, "cpcoh", "boundary", w),
            100 * over("operations", "small", 4, "cpcoh", "boundary", w),
            100 * over("operations", "small", 8, "cpcoh", "boundary", w) > (dir "/operations.csv")
        printf "%s,%.4f,%.4f,%.4f,%.4f\n", w, over("home", "small", 4, "cpcoh", "boundary", w),
            over("home", "small", 4, "hashed-hmg", "boundary", w), over("home", "small", 4, "hmg", "boundary", w),
            over("home", "small", 4, "keep-cpcoh", "keep-boundary", w) > (dir "/traffic.csv")
        printf "%s,%.4f,%.4f,%.4f\n", w, over("energy", "small", 4, "cpcoh", "boundary", w),
            over("energy", "small", 4, "ideal", "boundary", w),
            over("energy", "small", 4, "hashed-hmg", "boundary", w) > (dir "/energy.csv")
    }
}

END {
    if (sample) {
        for (i = 1; i <= count; i++) if (("tiny", "model", 4, "cpcoh", list[i]) in ran) print workload_row(list[i])
        exit
    }
    workloads(dir "/workloads.md")
    small(dir "/small.md")
    policies(dir "/policies.md")
    claims()
    frames()
}
