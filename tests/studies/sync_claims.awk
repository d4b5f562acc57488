# sync_claims.awk - barriers of the grid and semaphores (Dalmia, 2023, chapter 4) from what the thesis prints
# (data/published/synchronization.csv) and lines "RUN MACHINE FORM T COLUMN VALUE" of tests/studies/reproduce_sync.sh:
# in `dir` the claims, "| claim | theirs | ours | same direction? |", tables of runs, and frames of figures. A run that
# ended as a livelock has no time. "Same direction" is what stands in brackets, or the same sign by more than 1 %. With
# sync_fences.awk and sync_whole.awk, which have more tables.
# variables: dir; only (fences, whole: those of one of these); sample (rows of tables alone, to standard output:
# RUN-MACHINE...)

BEGIN {
    TREE = 1; SENSE = 2; CPU = 3; COOPERATIVE = 4; HYBRID = 5
    SPIN = 1; SPIN_BACKOFF = 2; PRIORITY = 3; PRIORITY_BACKOFF = 4
    machines = split("qv100 rtx2060 rtx3090", machine, " ")
    split("Volta Turing Ampere", of_machine, " "); for (i = 1; i <= machines; i++) name_of[machine[i]] = of_machine[i]
    split("SpinSem SpinSemEBO PriorSem PriorSemEBO", semaphore, " ")
    split("tree G-SRB G-CPUSRB cooperative hybrid", barrier, " ")
    programs = split("reduce scan pagerank bfs sssp", program, " ")
    steps = split("1 2 4 8 16 32", step, " ")
}
FILENAME ~ /[.]csv$/ {
    if (/^#/ || /^claim,/) next
    split($0, cell, ",")
    printed[cell[1], cell[2], cell[3]] = cell[4]
    next
}
{ v[$1, $2, $3, $4, $5] = $6; ran[$1, $2, $3, $4] = 1; in_run[$1, $2] = 1 }

# ------------------------------------------------------------------------------- numbers of ours: "" when there is none

function ends(run, m, f, t) { return v[run, m, f, t, "ended"] == "done" }
# Core cycles without what comes before the first block.
function time(run, m, f, t) {
    return ends(run, m, f, t) ? v[run, m, f, t, "cycles"] - v["launch", m, 0, 0, "cycles"] : ""
}
function share(run, m, f, t) { return ends(run, m, f, t) ? v[run, m, f, t, "sync_share"] : "" }
function saved(run, m, new, old, t,    a, b) {
    a = time(run, m, new, t); b = time(run, m, old, t)
    return a == "" || b == "" ? "" : 100 * (1 - a / b)
}
# Over the T from `from` to `to` that both have; how many in `points`.
function mean(run, m, new, old, from, to,    i, x, sum) {
    points = 0
    for (i = 1; i <= steps; i++)
        if (step[i] >= from && step[i] <= to) {
            x = saved(run, m, new, old, step[i])
            if (x != "") { sum += x; points++ }
        }
    return points ? sum / points : ""
}
function mean_of_programs(m, new, old, from,    p, x, n, sum) {
    for (p = 1; p <= programs; p++) { x = mean(program[p], m, new, old, from, 32); if (x != "") { sum += x; n++ } }
    return n ? sum / n : ""
}
function most(run, m, f,    i, t) { for (i = 1; i <= steps; i++) if (ends(run, m, f, step[i])) t = step[i]; return t }
function text(x, format) { return x == "" ? "-" : sprintf(format, x) }
function percent(x) { return x == "" ? "-" : sprintf("%.0f %%", x) }
# Thousand cycles, or why there are none.
function thousands(run, m, f, t,    x) {
    x = time(run, m, f, t)
    return x != "" ? sprintf("%.1f", x / 1000) : !((run, m, f, t) in ran) ? "-" : v[run, m, f, t, "ended"] == "limit" \
        ? "too long" : "livelock"
}

# ------------------------------------------------------------------------------------------------ tables

function barrier_row(m, t,    f, line, x) {
    line = "| " name_of[m] ", `" m "` | " t " |"
    for (f = TREE; f <= HYBRID; f++)
        line = line " " thousands("micro", m, f, t) (ends("micro", m, f, t) ? " (" \
            percent(100 * share("micro", m, f, t)) ")" : "") " / " thousands("bare", m, f, t) " |"
    return line
}
function semaphore_row(run, m, t,    f, line) {
    line = "| " name_of[m] " | " substr(run, 5) " | " t " |"
    for (f = SPIN; f <= PRIORITY_BACKOFF; f++) line = line " " thousands(run, m, f, t) " |"
    for (f = SPIN; f <= PRIORITY; f += 2)
        line = line " " percent(100 * v[run, m, f, t, "sync_share"]) ", " \
            percent(100 * v[run, m, f, t, "swap_failures"]) " |"
    return line
}
function program_row(run, m, t,    f, line) {
    line = "| " run " | " name_of[m] " | " t " |"
    for (f = TREE; f <= HYBRID; f++)
        line = line " " thousands(run, m, f, t) (ends(run, m, f, t) ? " (" percent(100 * share(run, m, f, t)) ")" \
            : "") " |"
    return line " " percent(saved(run, m, SENSE, COOPERATIVE, t)) " |"
}
function barriers(file,    k, i) {
    table_head("| | T | tree | G-SRB | G-CPUSRB | cooperative | hybrid |", file)
    for (k = 1; k <= machines; k++)
        for (i = 1; i <= steps; i++)
            if (("micro", machine[k], TREE, step[i]) in ran) print barrier_row(machine[k], step[i]) > file
    close(file)
}
function semaphores(file,    n, run, j, k, i) {
    table_head("| | size | T | SpinSem | SpinSemEBO | PriorSem | PriorSemEBO | SpinSem: of the time, swaps in vain " \
        "| PriorSem |", file)
    n = split("size1 size10 size120", run, " ")
    for (k = 1; k <= machines; k++)
        for (j = 1; j <= n; j++)
            for (i = 1; i <= steps; i++)
                if ((run[j], machine[k], SPIN, step[i]) in ran) print semaphore_row(run[j], machine[k], step[i]) > file
    close(file)
}
function program_table(file,    p, k, i) {
    table_head("| | | T | tree | G-SRB | G-CPUSRB | cooperative | hybrid | G-SRB saves, of cooperative |", file)
    for (p = 1; p <= programs; p++)
        for (k = 1; k <= machines; k++)
            for (i = 1; i <= steps; i++)
                if ((program[p], machine[k], SENSE, step[i]) in ran)
                    print program_row(program[p], machine[k], step[i]) > file
    close(file)
}
# By semaphore: the T at which it ends, and at which it does not.
function livelock_cell(run, m, f,    i, good, bad) {
    for (i = 1; i <= steps; i++)
        if ((run, m, f, step[i]) in ran) {
            if (ends(run, m, f, step[i]))
                good = good (good == "" ? "" : ", ") step[i]
            else bad = bad (bad == "" ? "" : ", ") step[i]
        }
    return (good == "" ? "never" : good) (bad == "" ? "" : "; **livelock** " bad)
}
function livelocks(file,    n, run, called, j, k, f, line) {
    table_head("| | | SpinSem | SpinSemEBO | PriorSem | PriorSemEBO |", file)
    n = split("size1 size10 size120 turns oldest one", run, " ")
    split("size 1,size 10,size 120,size 1 with `sm.scheduler = lrr`,size 1 with `sm.scheduler = gto`,one semaphore " \
        "of 32 SMs", called, ",")
    for (k = 1; k <= machines; k++) for (j = 1; j <= n; j++) if ((run[j], machine[k]) in in_run) {
        line = "| " name_of[machine[k]] " | " called[j] " |"
        for (f = SPIN; f <= PRIORITY_BACKOFF; f++) line = line " " livelock_cell(run[j], machine[k], f) " |"
        print line > file
    }
    close(file)
}
function samples(    n, one, i, cell, k) {
    n = split(sample, one, " ")
    for (i = 1; i <= n; i++) {
        split(one[i], cell, "-")
        if ((cell[1], cell[2], SENSE, 8) in ran && ("alone", cell[2]) in in_run) { print graph_row(cell[1]); continue }
        for (k = 1; k <= steps && step[k] <= 4; k++) if ((cell[1], cell[2], SENSE, step[k]) in ran)
            print cell[1] == "micro" ? barrier_row(cell[2], step[k]) : cell[1] ~ /^size/ \
                ? semaphore_row(cell[1], cell[2], step[k]) : program_row(cell[1], cell[2], step[k])
    }
}

# ------------------------------------------------------------------------------------------------ claims

BEGIN { rows_to = dir "/claims.md" }
function theirs(id, of, m) { return printed[id, of, m] " %" }
function compare(id, claim, of, m, x, more) {
    row(id " " claim (m == "NA" ? "" : ", " name_of[m]), theirs(id, of, m), percent(x) more, x != "" && x > 1)
}
function atomics(run, m, f, t) { return v[run, m, f, t, "atomics_local"] + v[run, m, f, t, "atomics_device"] }
# Fewest blocks of an SM with which G-SRB is faster than the cooperative barrier.
function crossover(run, m,    i, x) {
    for (i = 1; i <= steps; i++) {
        x = saved(run, m, SENSE, COOPERATIVE, step[i])
        if (x != "" && x > 0) return step[i]
    }
    return "none"
}
function crossovers(m,    p, line) {
    for (p = 1; p <= programs; p++) line = line (p > 1 ? ", " : "") program[p] " " crossover(program[p], m)
    return line
}
# Is the cooperative one the fastest of three, and G-SRB the slowest? By runs and machines at this T.
function orders(t,    n, all, run, i, k, m, a, b, c) {
    ordered = 0; all = 0
    split("micro bare reduce scan pagerank bfs sssp", run, " ")
    for (i = 1; i <= 7; i++) for (k = 1; k <= machines; k++) {
        m = machine[k]; a = time(run[i], m, COOPERATIVE, t); b = time(run[i], m, CPU, t); c = time(run[i], m, SENSE, t)
        if (a == "" || b == "" || c == "") continue
        all++; ordered += a < b && b < c
    }
    return (of_all = all) ? ordered " of " all : "-"
}
# The hybrid beside the best of all others: at how many points within 3 %.
function ties(where,    run, n, i, j, k, f, t, best, x, all) {
    tied = all = 0
    n = split(where, run, " ")
    for (i = 1; i <= n; i++) for (k = 1; k <= machines; k++) for (j = 1; j <= steps; j++) {
        t = step[j]; x = time(run[i], machine[k], HYBRID, t); best = ""
        if (x == "") continue
        for (f = SENSE; f <= COOPERATIVE; f += 2)
            if (time(run[i], machine[k], f, t) != "" && (best == "" || time(run[i], machine[k], f, t) < best))
                best = time(run[i], machine[k], f, t)
        all++; tied += x <= 1.03 * best
    }
    of_all = all
    return tied " of " all
}
function barrier_claims(    k, m, a, b, i, n, x, y, line) {
    for (k = 1; k <= machines; k++) {
        m = machine[k]
        compare("B1", "G-SRB over the tree, all T", "G-SRB over the tree", m, mean("micro", m, SENSE, TREE, 1, 32),
            "; T = 4: " percent(saved("micro", m, SENSE, TREE, 4)) ", 16: " percent(saved("micro", m, SENSE, TREE, 16)))
    }
    for (k = 1; k <= machines; k++) {
        m = machine[k]
        compare("B2", "G-CPUSRB over the tree, all T", "G-CPUSRB over the tree", m, mean("micro", m, CPU, TREE, 1, 32),
            "; T = 4: " percent(saved("micro", m, CPU, TREE, 4)) ", 16: " percent(saved("micro", m, CPU, TREE, 16)))
    }
    for (i = n = x = 0; ++i <= steps;)
        if (ends("micro", "qv100", SENSE, step[i])) {
            y = atomics("micro", "qv100", SENSE, step[i]) / atomics("micro", "qv100", TREE, step[i]); x += y
            n++; line = line (n > 1 ? ", " : "") sprintf("%.0f", 100 * y)
        }
    row("B3 atomics of G-SRB, of the tree's, polls among them (rule: half or less in the mean of T)", "50 % or less",
        percent(100 * x / n) "; by T " line " %", x / n <= 0.5)
    for (i = n = x = y = 0; ++i <= steps;) if (ends("micro", "qv100", SENSE, step[i])) {
        a = v["micro", "qv100", SENSE, step[i], "sync_cycles"]; b = v["micro", "qv100", TREE, step[i], "sync_cycles"]
        x += 100 * (1 - a / b); n++
        y += 100 * (v["micro", "qv100", SENSE, step[i], "sync_cycles"] \
            * (1 / share("micro", "qv100", SENSE, step[i]) - 1) \
            / (b * (1 / share("micro", "qv100", TREE, step[i]) - 1)) - 1)
    }
    compare("B4", "time in G-SRB, of that in the tree, all T", "time in barriers", "qv100", x / n,
        "; T = 2: " percent(100 * (1 - v["micro", "qv100", SENSE, 2, "sync_cycles"] \
        / v["micro", "qv100", TREE, 2, "sync_cycles"])) ", 4: " percent(100 * (1 - v["micro", "qv100", SENSE, 4,
            "sync_cycles"] / v["micro", "qv100", TREE, 4, "sync_cycles"])))
    row("B4 time outside of barriers rises only slightly (rule: at most 10 % in the mean of T)", "slightly",
        sprintf("%+.0f %%", y / n), y / n <= 10)
    for (k = 1; k <= machines; k++) {
        m = machine[k]
        compare("B5", "G-SRB over cooperative, five programs, T >= 8", "G-SRB over cooperative", m,
            mean_of_programs(m, SENSE, COOPERATIVE, 8))
    }
    for (k = 1; k <= machines; k++) {
        m = machine[k]
        compare("B6", "G-SRB over G-CPUSRB, five programs, T >= 8", "G-SRB over G-CPUSRB", m,
            mean_of_programs(m, SENSE, CPU, 8))
    }
    for (i = 1; i <= 2; i++) {
        m = program[i]; x = 100 * share(m, "qv100", COOPERATIVE, most(m, "qv100", COOPERATIVE))
        row("B7 time of " m " in barriers, most T (rule: above half)", theirs("B7", "share " m, "NA"),
            percent(x) "; with G-SRB " percent(100 * share(m, "qv100", SENSE, most(m, "qv100", SENSE))), x > 50)
    }
    for (i = 1; i <= 2; i++)
        compare("B8", "G-SRB over cooperative, " program[i] ", T >= 8", program[i], "NA",
            mean(program[i], "qv100", SENSE, COOPERATIVE, 8, 32))
    x = 100 * share("pagerank", "qv100", COOPERATIVE, 8)
    row("B9 time of pagerank in barriers, T = 8 (rule: below 15 %)", theirs("B9", "share pagerank", "NA"), percent(x),
        x != "" && x < 15)
    x = saved("pagerank", "qv100", SENSE, COOPERATIVE, 8)
    row("B9 G-SRB over cooperative, pagerank, T = 8 (rule: within 5 % of none)", theirs("B9", "pagerank", "NA"),
        percent(x), x != "" && x < 5 && x > -5)
    for (i = 4; i <= 5; i++) {
        m = program[i]; x = 100 * share(m, "qv100", COOPERATIVE, most(m, "qv100", COOPERATIVE))
        row("B10 time of " m " in barriers, most T (rule: 20 to 65 %)", theirs("B10", "share " m, "NA"), percent(x),
            x > 20 && x < 65)
    }
    for (i = 4; i <= 5; i++)
        compare("B11", "cooperative over G-SRB, " program[i] ", T < 8", program[i], "NA",
            mean(program[i], "qv100", COOPERATIVE, SENSE, 1, 7))
    for (i = 4; i <= 5; i++)
        compare("B12", "G-SRB over cooperative, " program[i] ", T >= 8", program[i], "NA",
            mean(program[i], "qv100", SENSE, COOPERATIVE, 8, 32))
    x = orders(1)
    row("B13 T = 1: cooperative is the fastest, then G-CPUSRB, then G-SRB (rule: four of five)", "yes", x, of_all &&
        ordered >= 0.8 * of_all)
    row("B13 from which T on G-SRB is ahead of cooperative: the barrier with a section crosses later than programs " \
        "(rule: a program crosses, and earlier)", "8",
        "Volta: section " crossover("micro", "qv100") "; " crossovers("qv100"), crosses("qv100"))
    x = ties("bare micro " "reduce scan pagerank bfs sssp")
    row("B14 the hybrid is as good as the better one of cooperative and G-SRB (rule: within 3 % at four of five " \
        "points)", "almost everywhere", x "; T < 8 " ties_below(), of_all && tied >= 0.8 * of_all)
    x = saved("social", "qv100", SENSE, COOPERATIVE, 8)
    y = saved("web", "qv100", SENSE, COOPERATIVE, 8)
    a = saved("roads", "qv100", SENSE, COOPERATIVE, 8)
    row("B15 gain by graph, bfs, T = 8: social, web, roads (rule: all gain, social the least)", "social slightly lower",
        percent(x) ", " percent(y) ", " percent(a), x > 1 && x < y && x < a)
    for (k = 1; k <= machines; k++)
        for (i = TREE; i <= CPU; i++) {
            m = machine[k]; a = time("sleep", m, i, 4); b = time("micro", m, i, 4); y = 100 * (a / b - 1)
            if (k == 1 && i == TREE || y * y > x * x) x = y
        }
    row("B16 nanosleep in place of loops, T = 4, the most that any of three barriers differs (rule: below 2 %)",
        "below 2 %", sprintf("%.1f %%", x), x < 2 && x > -2)
}
function ties_below(    was, i, j, k, run, n, t, f, best, x, all, good) {
    n = split("bare micro reduce scan pagerank bfs sssp", run, " ")
    for (i = 1; i <= n; i++) for (k = 1; k <= machines; k++) for (j = 1; j <= steps; j++) {
        t = step[j]; x = time(run[i], machine[k], HYBRID, t); if (x == "" || t >= 8) continue
        best = time(run[i], machine[k], SENSE, t)
        if (time(run[i], machine[k], COOPERATIVE, t) < best) best = time(run[i], machine[k], COOPERATIVE, t)
        all++; good += x <= 1.03 * best
    }
    return good + 0 " of " all + 0
}
function crosses(m,    p, x, micro) {
    micro = crossover("micro", m)
    for (p = 1; p <= programs; p++) {
        x = crossover(program[p], m)
        if (x != "none" && (micro == "none" || x + 0 < micro + 0)) return 1
    }
    return 0
}
function livelocked(m, f, runs,    n, run, j, i, line) {
    n = split(runs, run, " "); locked = 0
    for (j = 1; j <= n; j++)
        for (i = 1; i <= steps; i++)
            if ((run[j], m, f, step[i]) in ran && !ends(run[j], m, f, step[i])) {
                locked++; line = line (line == "" ? "" : ", ") step[i] " (" substr(run[j], 5) ")"
            }
    return line == "" ? "ends always" : "livelock at T = " line
}
function semaphore_claims(    k, m, f, sizes, j, x, y, z, n, bad, line) {
    sizes = split("size1 size10 size120", size, " ")
    for (k = 1; k <= machines; k++) {
        m = machine[k]; x = n = 0
        for (j = 1; j <= sizes; j++) {
            y = mean(size[j], m, PRIORITY, SPIN, 2, 32)
            if (y != "") { x += y * points; n += points }
        }
        compare("S1", "PriorSem over SpinSem, sizes 1, 10, 120, T > 1, of what ends", "PriorSem over SpinSem", m,
            n ? x / n : "")
    }
    for (k = 1; k <= machines; k++) {
        m = machine[k]
        compare("S2", "PriorSem over SpinSem, size 1, T > 1, of what ends", "PriorSem over SpinSem", m,
            mean("size1", m, PRIORITY, SPIN, 2, 32))
    }
    compare("S3", "PriorSem over SpinSemEBO, size 1, T > 1, of what ends", "SpinSemEBO over PriorSem", "qv100",
        mean("size1", "qv100", PRIORITY, SPIN_BACKOFF, 2, 32),
        "; T = 8: " percent(saved("size1", "qv100", PRIORITY, SPIN_BACKOFF, 8)))
    for (k = 1; k <= machines; k++) {
        m = machine[k]; line = livelocked(m, SPIN, "size1 size10 size120")
        row("S4 SpinSem ends in livelock at some T > 1, " name_of[m], k < 3 ? "T > 1" : "always", line, locked > 0)
    }
    for (k = 1; k <= machines; k++) {
        m = machine[k]; line = livelocked(m, SPIN_BACKOFF, "size1 size10 size120")
        row("S4 SpinSemEBO does, " name_of[m], "T > 1", line, locked > 0)
    }
    for (k = 1; k <= machines; k++) {
        m = machine[k]; line = livelocked(m, PRIORITY, "size1 size10 size120")
        row("S4 PriorSem never does, " name_of[m], "never", line, !locked)
    }
    for (k = 1; k <= machines; k++) {
        m = machine[k]; line = livelocked(m, PRIORITY_BACKOFF, "size1 size10 size120")
        row("S4 PriorSemEBO never does, " name_of[m], "never", line, !locked)
    }
    x = 100 * share("size1", "qv100", SPIN, 1); y = 100 * share("size1", "qv100", PRIORITY, 1)
    row("S5 time in semaphores, a block an SM, each its own: SpinSem, PriorSem (rule: falls)",
        theirs("S5", "share SpinSem", "NA") ", " theirs("S5", "share PriorSem", "NA"), percent(x) ", " percent(y),
        y < x)
    x = 100 * share("one", "qv100", SPIN, 1); y = 100 * share("one", "qv100", PRIORITY, 1)
    row("S5 ... 32 SMs, one semaphore for all (rule: falls)",
        theirs("S5", "share SpinSem", "NA") ", " theirs("S5", "share PriorSem", "NA"), percent(x) ", " percent(y),
        x != "" && y < x)
    x = v["one", "qv100", SPIN, 1, "sync_cycles"]; y = v["one", "qv100", PRIORITY, 1, "sync_cycles"]
    compare("S6", "cycles in semaphores, a block an SM, one semaphore for all", "time in semaphores", "NA", x > 0 &&
        ends("one", "qv100", SPIN, 1) ? 100 * (1 - y / x) : "")
    for (k = 1; k <= machines; k++) {
        m = machine[k]
        x = saved("critical10", m, PRIORITY, SPIN, 8)
        y = saved("size1", m, PRIORITY, SPIN, 8)
        z = saved("critical200", m, PRIORITY, SPIN, 8)
        row("S7 gain with sections of 10, 50, 200 loads and stores, T = 8, " name_of[m] " (rule: falls, of what ends)",
            "shrinks", percent(x) ", " percent(y) ", " (z == "" ? "livelock" : percent(z)), x > y && (z == "" || y > z))
    }
}

# ------------------------------------------------------------------------------------------------ frames of figures

# Against T, a panel for each machine: `what` time, ratio (over form `base`) or entry (cycles of a block's way through).
function curves(name, what, run, base, from, to, unit, called,    k, f, i, line, x, m, file, any) {
    file = dir "/" name ".csv"
    print "# warpscape frame 1\n# column CTAs unit=of%20an%20SM" > file
    for (k = 1; k <= machines; k++)
        for (f = from; f <= to; f++)
            print "# column " called[f] "/" name_of[machine[k]] " unit=" unit " group=" name_of[machine[k]] > file
    line = "# labels: 0\nCTAs"
    for (k = 1; k <= machines; k++) for (f = from; f <= to; f++) line = line "," called[f] "/" name_of[machine[k]]
    print line > file
    for (i = 1; i <= steps; i++) {
        line = step[i]; any = 0
        for (k = 1; k <= machines; k++) for (f = from; f <= to; f++) {
            m = machine[k]; x = time(run, m, f, step[i])
            if (x != "" && what == "ratio") x = time(run, m, base, step[i]) == "" ? "" : x / time(run, m, base, step[i])
            if (x != "" && what == "episode") x /= 3000
            if (x != "" && what == "entry") x /= 5000 * step[i]
            line = line "," (x == "" ? "NA" : sprintf("%.5g", x)); any = any || x != ""
        }
        if (any) print line > file
    }
    close(file)
}
function shares(name,    p, f, file, line, t) {
    file = dir "/" name ".csv"
    print "# warpscape frame 1" > file
    line = "# labels: 1\nprogram"
    for (f = TREE; f <= COOPERATIVE; f++) {
        print "# column " barrier[f] " unit=share%20of%20time" > file; line = line "," barrier[f]
    }
    print line > file
    for (p = 1; p <= programs; p++) {
        line = program[p]
        for (f = TREE; f <= COOPERATIVE; f++) line = line "," text(share(program[p], "qv100", f, 8), "%.4f")
        gsub(",-", ",NA", line)
        print line > file
    }
    close(file)
}
function gains(name,    p, i, file, line, x) {
    file = dir "/" name ".csv"
    print "# warpscape frame 1\n# column CTAs unit=of%20an%20SM" > file
    line = "# labels: 0\nCTAs"
    for (p = 1; p <= programs; p++) {
        print "# column " program[p] " unit=time%20over%20cooperative" > file; line = line "," program[p]
    }
    print line > file
    for (i = 1; i <= steps; i++) if (("reduce", "qv100", SENSE, step[i]) in ran) {
        line = step[i]
        for (p = 1; p <= programs; p++) {
            x = saved(program[p], "qv100", SENSE, COOPERATIVE, step[i])
            line = line "," (x == "" ? "NA" : sprintf("%.4f", 1 - x / 100))
        }
        print line > file
    }
    close(file)
}

END {
    if (sample) { samples(); exit }
    if (only != "whole") { fences(dir "/fences.md"); words(dir "/words.md") }
    if (only != "fences") {
        hybrid(dir "/hybrid.md"); whole(dir "/whole.md"); graphs(dir "/graphs.md", dir "/graphs_whole.md")
    }
    if (only) exit
    barriers(dir "/barriers.md")
    semaphores(dir "/semaphores.md")
    program_table(dir "/programs.md")
    livelocks(dir "/livelocks.md")
    barrier_claims(); semaphore_claims()
    close(dir "/claims.md")
    curves("relative", "ratio", "micro", TREE, SENSE, HYBRID, "of%20the%20tree", barrier)
    curves("barriers", "episode", "bare", 0, TREE, COOPERATIVE, "thousand%20cycles", barrier)
    curves("handover", "entry", "size1", 0, SPIN, PRIORITY_BACKOFF, "thousand%20cycles", semaphore)
    shares("share"); gains("programs")
}
