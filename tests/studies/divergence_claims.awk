# divergence_claims.awk - the claims of the study of memory divergence (Wang, 2015) from lines "MACHINE WORKLOAD COLUMN
# VALUE" (tests/studies/reproduce_divergence.sh), after the lines of tests/studies/divergence_workloads.txt: rows "|
# number | claim | theirs | ours | same direction? |" on standard output, other tables and frames of figures in `dir`.
# "Same direction": of a change the same sign and more than 1 %; of "no change" within 3 %; of an order as it says, by
# more than 1 %; of a share or a range its rule stands with the claim. Means of speeds over workloads are geometric, of
# shares arithmetic. A set of workloads is LETTERS/PART: classes a, d, c of the file, and the part of the study that has
# them.

FNR == 1 { file++ }
file == 1 && !/^#/ { list[++count] = $1; class[$1] = $2; parts[$1] = $3 }
file == 2 { v[$1, $2, $3] = $4 }

function within(w, set,    f) { split(set, f, "/"); return index(f[1], class[w]) && index(parts[w], f[2]) }
function speed(a, b, w) { return v[b, w, "cycles"] / v[a, w, "cycles"] }
function mean_speed(a, b, set,    i, n, sum) {
    for (i = 1; i <= count; i++) if (within(list[i], set)) { sum += log(speed(a, b, list[i])); n++ }
    return exp(sum / n)
}
function speed_of(a, b, names,    n, name, i, sum) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) sum += log(speed(a, b, name[i]))
    return exp(sum / n)
}
function best_limit(w,    i, n, limit, best) {
    n = split("1 2 3 4 6", limit, " ")
    best = "gto"
    for (i = 1; i <= n; i++) if (speed("swl-" limit[i], best, w) > 1) best = "swl-" limit[i]
    return best
}
# Static warp limiting with the best limit of each workload, as a machine of its own.
function make_best(    i, key, f) {
    for (i = 1; i <= count; i++) if (within(list[i], "ad/o")) limit_of[list[i]] = best_limit(list[i])
    for (key in v) { split(key, f, SUBSEP); if (f[1] == limit_of[f[2]]) copy[f[2], f[3]] = v[key] }
    for (key in copy) { split(key, f, SUBSEP); v["swl", f[1], f[2]] = copy[key] }
}
# Of loads of a workload.
function accesses(run, w) { return v[run, w, "l1_load_hits"] + v[run, w, "l1_load_merged"] + missed(run, w) }
function missed(run, w) { return v[run, w, "l1_cold"] + v[run, w, "l1_intra_warp"] + v[run, w, "l1_inter_warp"] }
function share(run, w, what) { return v[run, w, what] / accesses(run, w) }
function of_misses(run, w, what) { return v[run, w, what] / missed(run, w) }
function mpki(run, w) { return v[run, w, "l1_misses"] / v[run, w, "thread_instructions"] * 1000 }
# Of cycles of an SM: of those in which its load/store unit is at work.
function unit(run, w, what) { return v[run, w, "load_store_" what] * v[run, w, "load_store_busy"] }
function mean_unit(run, set, what,    i, n, sum) {
    for (i = 1; i <= count; i++) if (within(list[i], set)) { sum += unit(run, list[i], what); n++ }
    return sum / n
}
# The mean of a column; workloads that have none (no divergent loads) do not count.
function mean(run, set, what,    i, n, sum) {
    for (i = 1; i <= count; i++)
        if (within(list[i], set) && (run, list[i], what) in v) { sum += v[run, list[i], what]; n++ }
    return sum / n
}
function mean_of(run, names, what,    n, name, i, sum) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) sum += v[run, name[i], what]
    return sum / n
}
function mean_mpki(a, b, set,    i, n, sum) {
    for (i = 1; i <= count; i++) if (within(list[i], set)) { sum += log(mpki(a, list[i]) / mpki(b, list[i])); n++ }
    return exp(sum / n)
}
function least(run, names, what,    n, name, i, low) {
    n = split(names, name, " "); low = v[run, name[1], what]
    for (i = 2; i <= n; i++) if (v[run, name[i], what] < low) low = v[run, name[i], what]
    return low
}
function most(run, names, what,    n, name, i, high) {
    n = split(names, name, " "); high = v[run, name[1], what]
    for (i = 2; i <= n; i++) if (v[run, name[i], what] > high) high = v[run, name[i], what]
    return high
}

# Lines over sets of the workload's divergent loads.
function concentration(w, index_of) { return v["model", w, "concentration:" index_of] + 0 }
function lines_of(index_of,    n, name, i, text) {
    n = split("ATAX BICG MVT GES SYRK SYR2K", name, " ")
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") sprintf("%.3g", concentration(name[i], index_of))
    return text
}
function change(x) { return 100 * (x - 1) }
function signed(x) { return sprintf("%+.*f %%", x < 10 && x > -10 ? 1 : 0, x) }
function percent(x) { return sprintf("%.*f %%", x < 0.1 ? 1 : 0, 100 * x) }
function fell(x) { return x < -1 }
function rose(x) { return x > 1 }
function same(x) { return x < 3 && x > -3 }
function near(x, theirs, factor) { return x < theirs * factor && x > theirs / factor }
function speeds_of(a, b, names,    n, name, i, text) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") name[i] " " signed(change(speed(a, b, name[i])))
    return text
}
function shares_of(run, names, what,    n, name, i, text) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") name[i] " " percent(v[run, name[i], what])
    return text
}
function gains(runs, base, set,    n, run, i, text) {
    n = split(runs, run, " ")
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") label(run[i]) " " signed(change(mean_speed(run[i], base, set)))
    return text
}
function label(run) { sub(/^two-/, "", run); return run in names_of ? names_of[run] : run }
# Each run of the list is faster than the one behind it, by more than 1 %.
function falls(runs, base, set,    n, run, i) {
    n = split(runs, run, " ")
    for (i = 1; i < n; i++) if (mean_speed(run[i], base, set) < 1.01 * mean_speed(run[i + 1], base, set)) return 0
    return 1
}

function speed_frame(name, runs, columns, base, set,    n, run, i, j, line) {
    open_frame(name, "workload", columns, "speed%20over%20" toupper(base))
    n = split(runs, run, " ")
    for (i = 1; i <= count; i++) {
        if (!within(list[i], set)) continue
        line = list[i]
        for (j = 1; j <= n; j++) line = line "," speed(run[j], base, list[i])
        print line > (dir "/" name ".csv")
    }
    line = "mean"
    for (j = 1; j <= n; j++) line = line "," mean_speed(run[j], base, set)
    print line > (dir "/" name ".csv")
}
function value_of(run, w, what) {
    return what == "mshr" ? unit(run, w, what) : what ~ /^l1_/ ? share(run, w, what) : v[run, w, what] + 0
}
function frame(name, runs, columns, what, whole, set,    n, run, i, j, line) {
    open_frame(name, "workload", columns, "share%20of%20" whole)
    n = split(runs, run, " ")
    for (i = 1; i <= count; i++) {
        if (!within(list[i], set)) continue
        line = list[i]
        for (j = 1; j <= n; j++) line = line "," value_of(run[j], list[i], what)
        print line > (dir "/" name ".csv")
    }
}

# Speeds of a workload: indices over CONV, caches over LRU, schedulers over GTO.
function cells(runs, base, w, part,    n, run, i, text) {
    n = split(runs, run, " ")
    if (!index(parts[w], part)) return ""
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") sprintf("%.2f", speed(run[i], base, w))
    return text
}
function speeds_row(w, to) {
    printf "| %s | %s | %s | %s |\n", w, cells("bxor pdisp fup", "conv", w, "f"),
        cells("rrip dip uncon stall dacache", "lru", w, "d"),
        cells("mascar ccws static fcw dynamic", "gto", w, "o") > to
}

END {
    if (sample) {
        for (i = 1; i <= count; i++)
            if ((list[i], "any") in v || ("lru", list[i], "cycles") in v || ("gto", list[i], "cycles") in v)
                speeds_row(list[i], "/dev/stdout")
        exit
    }
    make_best()
    # defaults
    for (i = 1; i <= count; i++) {
        v["smr-50", list[i], "cycles"] = v["static", list[i], "cycles"]
        v["promote-4", list[i], "cycles"] = v["dacache", list[i], "cycles"]
    }
    split("bxor=BXOR pdisp=pDisp fup=FUP rrip=RRIP dip=DIP uncon=Uncon stall=Stall dacache=DaCache mascar=MASCAR " \
        "ccws=CCWS static=static fcw=FCW-Only dynamic=dynamic swl=SWL-Best", pair, " ")
    for (i in pair) { split(pair[i], f, "="); names_of[f[1]] = f[2] }
    four = "ATAX BICG MVT GES"; three = "ATAX BICG MVT"

    # --- what hurts ---
    x = v["conv", "SPMV", "instructions:spmv_vector"] / v["conv", "SPMV", "instructions:spmv_scalar"]
    row("R0 | A sparse product by a row a thread executes fewer instructions than by a row a warp", "2.8 times",
        sprintf("%.1f times", x), x > 1.01)
    x = speed_of("wide", "conv", four " SYRK")
    row("R1 | 32 ways for 8, lowest bits as set: " four " SYRK", "2.6 times as fast", sprintf("%.1f", x), x > 1.01)
    a = b = 0; n = split(four, name, " "); good = 1
    for (i = 1; i <= n; i++) {
        a += of_misses("conv", name[i], "l1_intra_warp") / n
        b += of_misses("wide", name[i], "l1_intra_warp") / n
        good = good && share("wide", name[i], "l1_intra_warp") < share("conv", name[i], "l1_intra_warp") / 1.5
    }
    c = share("conv", "SYRK", "l1_inter_warp"); d = share("wide", "SYRK", "l1_inter_warp")
    row("R2 | With 32 ways misses that a warp causes itself go, in SYRK those of others (rule: by a third at least)",
        "drop", percent(a) " of misses become " percent(b) "; SYRK " percent(c) " of accesses, " percent(d), good &&
        d < c / 1.5)
    x = of_misses("wide", "GES", "l1_intra_warp")
    row("R3 | GES with 32 ways: misses still of the same warp (rule: within 3 points)", "49 %", percent(x), x > 0.46 &&
        x < 0.52)
    six = "SYR2K KMN BFS SPMV IIX PVC"; n = split(six, name, " "); k = 0
    for (i = 1; i <= n; i++) k += v["lru", name[i], "divergent_partial"] > 0.2
    row("R4 | Many divergent loads are cached in part (rule: more than a fifth, in four of six)", six,
        shares_of("lru", six, "divergent_partial"), k >= 4)
    five = "2DC 3DC COV COR FD"
    row("R5 | Coherent loads are cached in part in these alone (rule: more than 1 %; others less)", five,
        shares_of("lru", five " 2MM 3MM GSM", "coherent_partial"), least("lru", five, "coherent_partial") > 0.01 &&
        most("lru", "2MM 3MM GSM", "coherent_partial") < 0.01)
    steady = four " SYRK SYR2K KMN SC"; ragged = "BFS SPMV IIX PVC"
    a = mean_of("lru", steady, "issues_oldest_3"); b = mean_of("lru", ragged, "issues_oldest_3")
    row("R6 | The three oldest warps have most of the instructions (rule: the mean in that range)", "58 to 91 %",
        percent(least("lru", steady, "issues_oldest_3")) " to " percent(most("lru", steady, "issues_oldest_3")) \
        ", mean " percent(a), a > 0.58 && a < 0.91)
    row("R7 | ... fewer where branches diverge (rule: the mean below the other, and within a factor of 1.5 of 48 to " \
        "63 %)", "48 to 63 %",
        percent(least("lru", ragged, "issues_oldest_3")) " to " percent(most("lru", ragged, "issues_oldest_3")) ", " \
        "mean " percent(b), b < a && b > 0.48 / 1.5 && b < 0.63 * 1.5)
    sum = n = 0; for (i = 1; i <= count; i++) if (within(list[i], "ad/d")) {
        sum += of_misses("lru", list[i], "l1_inter_warp"); n++
    }
    row("R8 | With Fermi's hash most misses are caused by other warps", "most", percent(sum / n), sum / n > 0.5)
    x = mean_unit("gto", "ad/o", "mshr")
    row("R9 | Cycles in which the load/store unit finds no MSHR, divergent workloads (rule: a factor of 1.5)", "66 %",
        percent(x), near(x, 0.66, 1.5))
    a = mean_unit("gto", "ad/o", "port")
    b = (unit("gto", "2MM", "port") + unit("gto", "3MM", "port") + unit("gto", "SRAD", "port") \
        + unit("gto", "LBM", "port")) / 4
    row("R10 | ... waits for the network, divergent ones, and 2MM, 3MM, SRAD, LBM (rule: below 5 %; more in these)",
        "negligible; they matter", percent(a) "; " percent(b), a < 0.05 && b > a)
    a = mean("gto", "c/o", "stall_load_store"); b = mean("gto", "ad/o", "stall_load_store")
    row("R11 | Schedulers that wait for the load/store unit, coherent and divergent workloads (rule: in that order, " \
        "each within a factor of 2)", "28 %, 75 %", percent(a) ", " percent(b), b > a && near(a, 0.28, 2) &&
        near(b, 0.75, 2))
    x = mean("gto", "c/o", "coherent_occlusion_share")
    row("R12 | Occlusion in the time of loads, coherent workloads (rule: below 10 %)", "4 %", percent(x), x < 0.1)
    a = mean("gto", "ad/o", "coherent_occlusion_share"); b = mean("gto", "ad/o", "divergent_occlusion_share")
    row("R13 | ... divergent workloads, coherent and divergent loads (rule: each within a factor of 1.5)",
        "33 %, 47 %", percent(a) ", " percent(b), near(a, 0.33, 1.5) && near(b, 0.47, 1.5))
    x = v["gto", "BFS", "issues_oldest_8"]
    row("R14 | BFS: MSHRs of a load grow with the rank of its warp in a line, and the eight oldest warps have most " \
        "of the time (rule: R^2 above 0.8, within 10 points)", "up to rank 7; 94 %",
        sprintf("R^2 %.2f, slope %.2f, up to rank %d; ", v["gto", "BFS", "mshrs_rank_fit"], v["gto", "BFS",
        "mshrs_rank_slope"], v["gto", "BFS", "mshrs_rank_knee"]) percent(x), v["gto", "BFS", "mshrs_rank_fit"] > 0.8 &&
        v["gto", "BFS", "mshrs_rank_slope"] > 0 && x > 0.84)

    # --- set indices ---
    row("R15 | Speed over CONV, ten workloads, in that order", "2.01, 2.14, 2.46",
        sprintf("%.2f, %.2f, %.2f", mean_speed("bxor", "conv", "ad/f"), mean_speed("pdisp", "conv", "ad/f"),
        mean_speed("fup", "conv", "ad/f")), falls("fup pdisp bxor conv", "conv", "ad/f"))
    a = change(mean_speed("fup", "bxor", "ad/f")); b = change(mean_speed("fup", "pdisp", "ad/f"))
    row("R16 | FUP over BXOR, over pDisp", "+22 %, +15 %", signed(a) ", " signed(b), rose(a) && rose(b))
    row("R17 | Speed over CONV, the six with conflicts, in that order", "3.21, 3.70, 4.36",
        sprintf("%.2f, %.2f, %.2f", mean_speed("bxor", "conv", "a/f"), mean_speed("pdisp", "conv", "a/f"),
        mean_speed("fup", "conv", "a/f")), falls("fup pdisp bxor conv", "conv", "a/f"))
    a = change(mean_speed("pdisp", "bxor", "a/f"))
    row("R18 | pDisp over BXOR, these six", "+15 %", signed(a), rose(a))
    a = change(speed("pdisp", "conv", "IIX")); good = 1; low = 1000
    for (i = 1; i <= count; i++)
        if (within(list[i], "ad/f")) {
            b = change(speed("bxor", "conv", list[i])); c = change(speed("fup", "conv", list[i]))
            b = b < c ? b : c
            if (b < low) { low = b; who = list[i] }
        }
    row("R19 | pDisp loses in IIX, BXOR and FUP nowhere", "-18 %", signed(a) "; least " signed(low) " (" who ")",
        fell(a) && low > -1)
    row("R20 | Lines of a load over the sets they touch, CONV, " four ", SYRK, SYR2K (rule: these)",
        "32, 32, 32, 32, 16, 8", lines_of("linear"), lines_of("linear") == "32, 32, 32, 32, 16, 8")
    n = split(four, name, " "); good = concentration("SYRK", "xor") == 1 && concentration("SYR2K", "xor") == 1
    for (i = 1; i <= n; i++) good = good && concentration(name[i], "xor") > 1 && concentration(name[i], "xor") <= 8
    row("R21 | ... BXOR (rule: 1 for the last two, more, but no more than 8, for the others)", "8, 8, 8, 4, 1, 1",
        lines_of("xor"), good)
    n = split(four " SYRK SYR2K", name, " "); a = b = 0
    for (i = 1; i <= n; i++) {
        a += concentration(name[i], "pdisp") / n
        b = concentration(name[i], "fup") > b ? concentration(name[i], "fup") : b
    }
    row("R22 | ... pDisp, mean (rule: within 0.02)", "1.09", sprintf("%.2f", a), a > 1.07 && a < 1.11)
    row("R23 | ... FUP, at most (rule: 1)", "1", sprintf("%.2f", b), b < 1.005)
    n = split(four, name, " "); a = b = c = d = 0
    for (i = 1; i <= n; i++) {
        a += of_misses("conv", name[i], "l1_intra_warp") / n
        b += of_misses("bxor", name[i], "l1_intra_warp") / n
        c += of_misses("pdisp", name[i], "l1_intra_warp") / n
        d += of_misses("fup", name[i], "l1_intra_warp") / n
    }
    row("R24 | Misses caused by the same warp, " four \
        ": many with CONV, none with pDisp and FUP; BXOR turns them into those of others (rule: more than a half; " \
            "less than 5 %)", "high, low, none, none", percent(a) ", " percent(b) ", " percent(c) ", " percent(d),
            a > 0.5 && b < a / 2 && c < 0.05 && d < 0.05)

    n = split(four " SYRK SYR2K", name, " "); low = 100; high = 0
    for (i = 1; i <= n; i++)
        for (j = 0; j < 4; j++) {
            x = v["rows", name[i], "balance:" j]; low = x < low ? x : low; high = x > high ? x : high
        }
    row("R25 | How evenly rows of full length use the sets is the same by any index, but for the one set that pDisp " \
        "leaves out (rule: 0.9 to 1.1)", "about 1; pDisp +3.2 %",
        sprintf("CONV, BXOR, Fermi, FUP %.2f to %.2f; 32/31 is +3.2 %%", low, high), low > 0.9 && high < 1.1)
    x = v["gto", "ATAX", "cycles"] > 0 ? concentration("ATAX", "fermi") : 0
    row("R54 | ATAX under Fermi's hash: sets that a load of 32 lines uses (rule: this)", "8",
        sprintf("%d", x ? 32 / x : 0), x == 4)

    # --- caches ---
    ad = "ad/d"
    row("R26 | Speed over LRU, twelve workloads (rule: DaCache before Uncon, Stall, these before DIP, it before " \
        "RRIP; Uncon and Stall within 3 %)", "RRIP 0, DIP +12, Uncon +26, Stall +26, DaCache +40 %",
        gains("rrip dip uncon stall dacache", "lru", ad), falls("dacache uncon dip rrip", "lru", ad) &&
        falls("dacache stall dip", "lru", ad) && same(change(mean_speed("stall", "uncon", ad))))
    a = change(mean_speed("dacache", "rrip", ad)); b = change(mean_speed("dacache", "dip", ad))
    row("R27 | DaCache over RRIP, over DIP", "+40 %, +25 %", signed(a) ", " signed(b), rose(a) && rose(b))
    a = 100 * (mean_speed("dacache", "lru", ad) - mean_speed("uncon", "lru", ad))
    row("R28 | What bypassing adds to Uncon", "+14.5 points", sprintf("%+.1f points", a), rose(a))
    a = speed_of("rrip", "lru", three " SYRK"); n = split(three " SYRK", name, " "); sum = 0
    for (i = 1; i <= n; i++) sum += log(mpki("rrip", name[i]) / mpki("lru", name[i])) / n
    row("R29 | RRIP loses in " three ", SYRK: speed, misses", "-14.5 %, +32.5 %",
        signed(change(a)) ", " signed(change(exp(sum))), fell(change(a)) && rose(change(exp(sum))))
    low = high = 0; n = split("rrip dip uncon stall dacache", run, " ")
    for (i = 1; i <= count; i++)
        if (within(list[i], "c/d"))
            for (j = 1; j <= n; j++) {
                x = change(speed(run[j], "lru", list[i]))
                if (list[i] == "GSM" && run[j] == "dip") continue
                if (x < low) { low = x; who = list[i] " " label(run[j]) }
                if (x > high) { high = x; other = list[i] " " label(run[j]) }
            }
    x = change(speed("dip", "lru", "GSM"))
    row("R30 | Coherent workloads: no effect, but for GSM with DIP", "+8 %",
        signed(low) " (" who ") to " signed(high) " (" other "); GSM " signed(x), same(low) && same(high) && rose(x))
    for (k in run) {
        full[k] = mean(run[k], ad, "divergent_full") / mean("lru", ad, "divergent_full")
        coherent[k] = mean(run[k], ad, "coherent_full") / mean("lru", ad, "coherent_full")
    }
    row("R31 | Divergent loads served in full, over LRU: Uncon, Stall, DaCache", "+35, +37, +70 %",
        signed(change(full[3])) ", " signed(change(full[4])) ", " signed(change(full[5])), rose(change(full[3])) &&
        rose(change(full[4])) && full[5] > 1.01 * full[3] && full[5] > 1.01 * full[4])
    row("R32 | Coherent loads of these workloads, the same", "+27, +28, +34 %",
        signed(change(coherent[3])) ", " signed(change(coherent[4])) ", " signed(change(coherent[5])),
        rose(change(coherent[3])) && rose(change(coherent[4])) && rose(change(coherent[5])))
    row("R33 | LRU serves more divergent loads in full than RRIP and DIP", "more",
        "RRIP " signed(change(full[1])) ", DIP " signed(change(full[2])), fell(change(full[1])) &&
        fell(change(full[2])))
    x = v["lru", "SC", "divergent_full"]
    row("R34 | SC: divergent loads that LRU serves in full (rule: a factor of 1.2)", "48.7 %", percent(x),
        near(x, 0.487, 1.2))
    for (k in run) miss[k] = change(mean_mpki(run[k], "lru", ad))
    row("R35 | Misses a thousand instructions, over LRU: RRIP, DIP, Uncon, Stall, DaCache",
        "+6.4, -3.8, -21, -22, -25 %", signed(miss[1]) ", " signed(miss[2]) ", " signed(miss[3]) ", " signed(miss[4]) \
        ", " signed(miss[5]), rose(miss[1]) && fell(miss[2]) && fell(miss[3]) && fell(miss[4]) && fell(miss[5]))
    best = -100
    for (i = 0; i <= 3; i++) { u[i] = change(mean_speed("uncon-" i, "lru", ad)); if (u[i] > best) best = u[i] }
    a = change(mean_speed("uncon", "lru", ad))
    row("R36 | Without constraint, 0 to 3 warps protected, and dynamic (rule: 0 within 3 %, dynamic no worse than " \
        "the best less 2 points)", "-0.1, +23, +25, +22, +26 %",
        signed(u[0]) ", " signed(u[1]) ", " signed(u[2]) ", " signed(u[3]) ", " signed(a), same(u[0]) && a > best - 2)
    good = 1; text = ""
    for (i = 0; i <= 3; i++) {
        x = change(mean_speed("stall-" i, "uncon-" i, ad)); text = text signed(x) ", "; good = good && x < 2
    }
    x = change(mean_speed("stall", "uncon", ad))
    row("R37 | What waiting adds to the same partitions (rule: at most 2 %; dynamic within 3 %)",
        "-4.3, -3.4, 0, -6.9, +1 %", text signed(x), good && same(x))
    text = ""
    for (i = 0; i <= 3; i++) { p[i] = change(mean_speed("dacache-" i, "uncon-" i, ad)); text = text signed(p[i]) ", " }
    x = change(mean_speed("dacache", "uncon", ad))
    row("R38 | What bypassing adds to them", "+0.6, -5, +13, +11, +12 %", text signed(x), rose(p[2]) && rose(p[3]) &&
        rose(x))
    text = ""; n = split("0 1 2 3 5", step, " "); best = 0
    for (i = 1; i <= n; i++) {
        x = mean_speed("promote-" step[i], "lru", ad)
        text = text (step[i] ? step[i] : "to the front") " " signed(change(x)) ", "
        if (x > best) best = x
    }
    x = mean_speed("dacache", "lru", ad)
    row("R39 | Promotion by four positions is best, to the front is worse (rule: 4 within 1 % of the best)",
        "1: +37, 4: +40 %", text "4 " signed(change(x)), x > best / 1.01 &&
        mean_speed("promote-0", "lru", ad) < x / 1.01)

    # --- schedulers ---
    ad = "ad/o"; all = "mascar ccws static swl fcw dynamic"
    row("R40 | Speed over GTO, twelve workloads (rule: in that order; dynamic and FCW-Only may be equal)",
        "MASCAR +4.8, CCWS +10, static +35, SWL-Best +60, FCW-Only +72, dynamic +74 %", gains(all, "gto", ad),
        falls("fcw swl static ccws mascar gto", "gto", ad) && mean_speed("dynamic", "fcw", ad) > 0.99)
    a = change(mean_speed("dynamic", "mascar", ad))
    b = change(mean_speed("dynamic", "ccws", ad))
    c = change(mean_speed("dynamic", "swl", ad))
    row("R41 | Dynamic over MASCAR, CCWS, SWL-Best", "+66, +57, +8.5 %", signed(a) ", " signed(b) ", " signed(c),
        rose(a) && rose(b) && rose(c))
    a = change(mean_speed("fcw", "ccws", ad)); b = change(mean_speed("fcw", "swl", ad))
    row("R42 | FCW-Only over CCWS, SWL-Best", "+56, +7.7 %", signed(a) ", " signed(b), rose(a) && rose(b))
    a = change(mean_speed("static", "mascar", ad)); low = 1000
    for (i = 1; i <= count; i++)
        if (within(list[i], ad) && change(speed("static", "gto", list[i])) < low) {
            low = change(speed("static", "gto", list[i])); who = list[i]
        }
    row("R43 | Static over MASCAR, and over GTO in each workload", "+29 %; each",
        signed(a) "; least " signed(low) " (" who ")", rose(a) && rose(low))
    a = speed_of("dynamic", "fcw", "BFS IIX"); b = mean_speed("dynamic", "fcw", ad)
    row("R44 | Dynamic gains over FCW-Only most in IIX and BFS", "most",
        speeds_of("dynamic", "fcw", "IIX BFS") "; mean " signed(change(b)), a > 1.01 && a > b)
    low = high = 0; n = split("mascar ccws static fcw dynamic", run, " ")
    for (i = 1; i <= count; i++)
        if (within(list[i], "c/o"))
            for (j = 1; j <= n; j++) {
                x = change(speed(run[j], "gto", list[i]))
                if (x < low) { low = x; who = list[i] " " label(run[j]) }
                if (x > high) { high = x; other = list[i] " " label(run[j]) }
            }
    row("R45 | Coherent workloads: no change by any", "none", signed(low) " (" who ") to " signed(high) " (" other ")",
        same(low) && same(high))
    n = split("gto ccws swl fcw dynamic", run, " "); text = ""
    for (i = 1; i <= n; i++) {
        f[i] = mean(run[i], ad, "divergent_full"); text = text (i > 1 ? ", " : "") percent(f[i])
    }
    row("R46 | Divergent loads served in full: GTO, CCWS, SWL-Best, FCW-Only, dynamic (rule: each above GTO, " \
        "FCW-Only and dynamic above CCWS)", "20, 25, 31, 45, 42 %", text, f[2] > f[1] && f[3] > f[1] && f[4] > f[2] &&
        f[5] > f[2])
    a = v["swl", "SYRK", "divergent_full"]; b = v["swl", "SYR2K", "divergent_full"]
    row("R47 | ... SYRK and SYR2K with SWL-Best (rule: above 80 %)", "98, 88 %", percent(a) ", " percent(b), a > 0.8 &&
        b > 0.8)
    good = 1; k = n = 0
    for (i = 1; i <= count; i++)
        if (within(list[i], ad) && list[i] != "SYRK") {
            n++; k += v["ccws", list[i], "divergent_full"] > v["gto", list[i], "divergent_full"]
        }
    row("R48 | CCWS serves more of them in full than GTO, but in SYRK (rule: in eight of ten)", "all others",
        k " of " n "; SYRK " percent(v["gto", "SYRK", "divergent_full"]) ", " \
        percent(v["ccws", "SYRK", "divergent_full"]), k >= 0.8 * n &&
        v["ccws", "SYRK", "divergent_full"] <= 1.01 * v["gto", "SYRK", "divergent_full"])
    n = split("5 10 20 25 30 35 40 60 70 80 90 100", step, " ")
    top = mean_speed("static", "gto", ad)
    at = 50
    k = 1
    flat[1] = top
    sum = top
    for (i = 1; i <= n; i++) {
        s[step[i]] = mean_speed("smr-" step[i], "gto", ad)
        if (s[step[i]] > top) { top = s[step[i]]; at = step[i] }
        if (step[i] >= 35 && step[i] <= 90) { flat[++k] = s[step[i]]; sum += flat[k] }
    }
    for (i = 1; i <= k; i++) square += (flat[i] - sum / k) ^ 2
    x = sqrt(square / k)
    row("R49 | Percent of lanes predicted to miss: best at 50, flat from 35 to 90 (rule: the best from 35 to 90; " \
        "deviation below 0.03)", "50; 0.014",
        sprintf("%d (%.2f; 50: %.2f; 25: %.2f); %.3f", at, top, mean_speed("static", "gto", ad), s[25], x), at >= 35 &&
        at <= 90 && x < 0.03)
    n = split("static fcw dynamic", run, " "); good = 1; text = ""
    for (i = 1; i <= n; i++) {
        x = unit(run[i], "SC", "mshr") / unit("gto", "SC", "mshr")
        y = mean_unit(run[i], ad, "mshr") / mean_unit("gto", ad, "mshr")
        text = text (i > 1 ? ", " : "") label(run[i]) " " signed(change(x)) " (mean " signed(change(y)) ")"
        good = good && x > y
    }
    row("R50 | SC: static, FCW-Only, dynamic hardly have fewer cycles without MSHR", "poor", text, good)
    a = mean("gto", ad, "stall_load_store")
    b = mean("swl", ad, "stall_load_store")
    c = mean("swl", ad, "stall_memory")
    d = mean("fcw", ad, "stall_load_store")
    e = mean("dynamic", ad, "stall_load_store")
    row("R51 | GTO waits for the unit, SWL-Best for data; FCW-Only and dynamic wait for the unit more than SWL-Best",
        "order", "GTO " percent(a) "; SWL-Best " percent(b) ", data " percent(c) "; FCW-Only " percent(d) ", dynamic " \
        percent(e), a > 0.5 && c > b && d > b && e > b)
    x = v["config", "oaws", "l1.mshrs"] / (v["config", "oaws", "l1.sets"] * v["config", "oaws", "l1.ways"])
    row("R52 | Reads in flight, of the lines of L1 (rule: this)", "12.5 %", sprintf("%.1f %%", 100 * x), x == 0.125)
    a = change(mean_speed("gto", "gto-miss", ad))
    b = change(mean_speed("mascar", "mascar-miss", ad))
    c = change(mean_speed("ccws", "ccws-miss", ad))
    row("R53 | Lines chosen at the fill instead of at the miss: GTO gains, MASCAR and CCWS hardly (rule: less than " \
        "GTO, and within 5 %)", "clearly; about equal", signed(a) "; " signed(b) ", " signed(c), rose(a) && b < a &&
        c < a && b < 5 && b > -5 && c < 5 && c > -5)
    n = split("gto mascar ccws static swl fcw dynamic", run, " "); text = ""
    for (i = 1; i <= n; i++) {
        m[i] = mean_unit(run[i], ad, "mshr"); q[i] = mean_unit(run[i], ad, "port")
        text = text (i > 1 ? ", " : "") (i == 1 ? "GTO" : label(run[i])) " " percent(m[i])
    }
    row("R55 | Cycles without MSHR: static, SWL-Best, FCW-Only, dynamic have far fewer, MASCAR and CCWS not; the " \
        "network does not matter (rule: a quarter fewer; port below 5 %)", "order",
        text "; port at most " percent(most_of(q, n)), m[4] < 0.75 * m[1] && m[5] < 0.75 * m[1] && m[6] < 0.75 * m[1] &&
        m[7] < 0.75 * m[1] && m[2] > m[4] && m[3] > m[4] && most_of(q, n) < 0.05)
    good = 1; n = split(three, name, " "); text = ""
    for (i = 1; i <= n; i++) {
        good = good && (speed("dynamic", "swl", name[i]) > 1.01 || speed("fcw", "swl", name[i]) > 1.01 ||
            speed("static", "swl", name[i]) > 1.01)
        text = text (i > 1 ? ", " : "") name[i] " " limit_of[name[i]] " " \
            sprintf("%.2f", speed("swl", "gto", name[i])) " " sprintf("%.2f", speed("dynamic", "gto", name[i]))
    }
    row("R56 | SWL-Best is not the fastest in " three ", whose kernels differ (best limit, its speed, dynamic's)",
        "not", text, good)
    a = v["dynamic", "IIX", "coherent_full"]
    b = v["fcw", "IIX", "coherent_full"]
    c = mean("dynamic", ad, "divergent_full")
    d = mean("fcw", ad, "divergent_full")
    row("R57 | IIX: dynamic serves more coherent loads in full than FCW-Only; of divergent loads of all slightly " \
        "fewer (rule: fewer, by 5 points at most)", "more; fewer",
        percent(a) ", " percent(b) "; " percent(c) ", " percent(d), a > b && c <= d && c > d - 0.05)
    a = (v["dynamic", "IIX", "stall_load_store"] + v["dynamic", "BFS", "stall_load_store"]) / 2
    b = (v["fcw", "IIX", "stall_load_store"] + v["fcw", "BFS", "stall_load_store"]) / 2
    row("R58 | IIX and BFS: dynamic waits for the unit less than FCW-Only", "less", percent(a) ", " percent(b),
        a < b / 1.01)

    # --- tables and figures ---
    table_head("| workload | BXOR, pDisp, FUP over CONV | RRIP, DIP, Uncon, Stall, DaCache over LRU | MASCAR, CCWS, " \
        "static, FCW-Only, dynamic over GTO |", dir "/speeds.md")
    for (i = 1; i <= count; i++) speeds_row(list[i], dir "/speeds.md")
    table_head("| | room for eight | for two |", dir "/two.md")
    two("R6, R7: instructions of the three oldest warps",
        percent(mean_of("lru", steady, "issues_oldest_3")) ", " percent(mean_of("lru", ragged, "issues_oldest_3")),
        percent(mean_of("two-lru", steady, "issues_oldest_3")) ", " \
        percent(mean_of("two-lru", ragged, "issues_oldest_3")))
    two("R9: no MSHR", percent(mean_unit("gto", "ad/o", "mshr")), percent(mean_unit("two-gto", "ad/o", "mshr")))
    two("R13: occlusion of coherent, divergent loads", percent(mean("gto", "ad/o", "coherent_occlusion_share")) ", " \
        percent(mean("gto", "ad/o", "divergent_occlusion_share")),
        percent(mean("two-gto", "ad/o", "coherent_occlusion_share")) ", " \
        percent(mean("two-gto", "ad/o", "divergent_occlusion_share")))
    two("R14: BFS, instructions of the eight oldest", percent(v["gto", "BFS", "issues_oldest_8"]),
        percent(v["two-gto", "BFS", "issues_oldest_8"]))
    two("R26: RRIP, DIP, Uncon, DaCache over LRU", gains("rrip dip uncon dacache", "lru", "ad/d"),
        gains("two-rrip two-dip two-uncon two-dacache", "two-lru", "ad/d"))
    two("R31: divergent loads served in full, LRU, DaCache",
        percent(mean("lru", "ad/d", "divergent_full")) ", " percent(mean("dacache", "ad/d", "divergent_full")),
        percent(mean("two-lru", "ad/d", "divergent_full")) ", " percent(mean("two-dacache", "ad/d", "divergent_full")))
    two("R40: CCWS, static, one and two warps a scheduler, FCW-Only, dynamic over GTO",
        gains("ccws static swl-1 swl-2 fcw dynamic", "gto", "ad/o"),
        gains("two-ccws two-static two-swl-1 two-swl-2 two-fcw two-dynamic", "two-gto", "ad/o"))
    two("R37: waiting, at most 6 warps protected, SYRK, SYR2K over LRU (with 48: " \
        sprintf("%.2f, %.2f)", speed("stall", "lru", "SYRK"), speed("stall", "lru", "SYR2K")),
        sprintf("%.2f, %.2f", speed("small-stall", "lru", "SYRK"), speed("small-stall", "lru", "SYR2K")), "")
    speed_frame("indices", "bxor pdisp fup wide", "BXOR,pDisp,FUP,32_ways", "conv", "ad/f")
    frame("misses", "conv bxor pdisp fup", "CONV,BXOR,pDisp,FUP", "l1_intra_warp", "accesses", "ad/f")
    speed_frame("caches", "rrip dip uncon stall dacache", "RRIP,DIP,Uncon,Stall,DaCache", "lru", "adc/d")
    frame("whole", "lru rrip dip uncon stall dacache", "LRU,RRIP,DIP,Uncon,Stall,DaCache", "divergent_full", "loads",
        "ad/d")
    speed_frame("schedulers", "mascar ccws static swl fcw dynamic", "MASCAR,CCWS,static,SWL_Best,FCW_Only,dynamic",
        "gto", "ad/o")
    frame("stalls", "gto mascar ccws static swl fcw dynamic", "GTO,MASCAR,CCWS,static,SWL_Best,FCW_Only,dynamic",
        "mshr", "cycles", "ad/o")
    curve("partitions", "protected", "warps%20of%20a%20scheduler", "Uncon,Stall,DaCache", "uncon- stall- dacache-",
        "0 1 2 3", "lru", "ad/d")
    curve("promotions", "positions", "of%20a%20promotion", "DaCache", "promote-", "0 1 2 3 4 5", "lru", "ad/d")
    curve("smr", "percent", "of%20lanes", "static", "smr-", "5 10 20 25 30 35 40 50 60 70 80 90 100", "gto", "ad/o")
    eight = "fup-lru dacache lru-oaws fup-dacache fup-lru-oaws dacache-oaws fup-dacache-oaws"
    speed_frame("together", eight, "FUP,DaCache,OAWS,FUP_DaCache,FUP_OAWS,DaCache_OAWS,all", "lru", "ad/d")
    table_head("| workload | FUP | DaCache | OAWS | FUP, DaCache | FUP, OAWS | DaCache, OAWS | all three |",
        dir "/together.md")
    n = split(eight, run, " ")
    for (i = 1; i <= count; i++) if (within(list[i], "ad/d")) {
        text = "| " list[i]
        for (j = 1; j <= n; j++) text = text sprintf(" | %.2f", speed(run[j], "lru", list[i]))
        print text " |" > (dir "/together.md")
    }
    text = "| mean"
    for (j = 1; j <= n; j++) text = text sprintf(" | %.2f", mean_speed(run[j], "lru", "ad/d"))
    print text " |" > (dir "/together.md")
}
function two(what, eight, other) { printf "| %s | %s | %s |\n", what, eight, other > (dir "/two.md") }
function most_of(values, n,    i, high) { for (i = 1; i <= n; i++) if (values[i] > high) high = values[i]; return high }
# A row a step: speeds over `base`, of runs that are called by prefix and step.
function curve(name, label_of, unit_of, columns, prefixes, steps, base, set,    n, column, prefix, m, step, i, j,
    line) {
    n = split(columns, column, ",")
    print "# warpscape frame 1\n# column " label_of " unit=" unit_of > (dir "/" name ".csv")
    for (i = 1; i <= n; i++) print "# column " column[i] " unit=speed%20over%20" toupper(base) > (dir "/" name ".csv")
    print "# labels: 0\n" label_of "," columns > (dir "/" name ".csv")
    n = split(prefixes, prefix, " "); m = split(steps, step, " ")
    for (i = 1; i <= m; i++) {
        line = step[i]
        for (j = 1; j <= n; j++) line = line "," mean_speed(prefix[j] step[i], base, set)
        print line > (dir "/" name ".csv")
    }
}
