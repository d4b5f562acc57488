# sharing_claims.awk - claims of chapter 2 of the study of data sharing (Tabbakh, 2018), from lines of
# tests/studies/sharing_workloads.txt and "MACHINE WORKLOAD COLUMN VALUE" (tests/studies/reproduce_sharing.sh): rows "|
# number | claim | theirs | ours | same direction? |" on standard output, rows of workloads and frames of figures in
# `dir`; with `sample` rows of workloads alone, on standard output.
# "Same direction": of a change the same sign and more than 1 %; of "no better" no more than 1 % better; of an order as
# it says. Means of ratios over workloads are geometric, of shares arithmetic.

FNR == 1 { file++ }
/^#/ { next }
file == 1 { list[++count] = $1 }
file == 2 { v[$1, $2, $3] = $4 }

function change(x) { return sprintf("%+.1f %%", 100 * (x - 1)) }
function ratio_of(a, b, w, what) { return v[b, w, what] > 0 && v[a, w, what] > 0 ? v[a, w, what] / v[b, w, what] : 0 }
# Of a over b, geometric; workloads without the quantity do not count.
function mean(a, b, what,    i, n, sum, x) {
    for (i = 1; i <= count; i++) if ((x = ratio_of(a, b, list[i], what)) > 0) { sum += log(x); n++ }
    return n ? exp(sum / n) : 1
}
function average(a, what,    i, n, sum) {
    for (i = 1; i <= count; i++) if ((a, list[i], what) in v) { sum += v[a, list[i], what]; n++ }
    return n ? sum / n : 0
}
# Misses of L2 that are not the first of their line, of workloads where no launch finds what another one left.
function again(run,    i, n, sum) {
    for (i = 1; i <= count; i++)
        if (v["rr", list[i], "l2_compulsory"] <= 1 && v["know", list[i], "l2_compulsory"] <= 1) {
            sum += 1 - v[run, list[i], "l2_compulsory"]; n++
        }
    return n ? sum / n : 1
}
function claim(number, what, their, ours, holds) {
    printf "| %s | %s | %s | %s | %s |\n", number, what, their, ours, holds ? "yes" : "no"
}
# A change that the study has as `sign`.
function changes(number, what, their, sign, x) { claim(number, what, their, change(x), sign * (x - 1) > 0.01) }
function derive(    i, k, run, w) {
    for (k in v) { split(k, f, SUBSEP); runs[f[1]] = 1 }
    for (run in runs) for (i = 1; i <= count; i++) {
        w = list[i]
        if (!((run, w, "J") in v)) continue
        v[run, w, "J:memory"] = v[run, w, "J:dram"] + v[run, w, "J:controller"]
        v[run, w, "J:outside"] = v[run, w, "J:memory"] + v[run, w, "J:l2"] + v[run, w, "J:network"]
        v[run, w, "W:memory"] = v[run, w, "J:memory"] / v[run, w, "cycles"]
        v[run, w, "W:network"] = v[run, w, "J:network"] / v[run, w, "cycles"]
        v[run, w, "W"] = v[run, w, "J"] / v[run, w, "cycles"]
        v[run, w, "part"] = v[run, w, "J:outside"] / v[run, w, "J"]
        v[run, w, "bursts"] = v[run, w, "dram_reads"] + v[run, w, "dram_writes"]
    }
}
function workload_row(w) {
    return sprintf("| %s | %d | %.3f | %.3f | %.3f | %.2f | %.2f |", w, v["rr", w, "cycles"],
        ratio_of("bcs", "rr", w, "cycles"), ratio_of("qx_adpt", "rr", w, "cycles"), ratio_of("know", "rr", w, "cycles"),
                   v["rr", w, "block_users"], v["qx_adpt", w, "block_users"])
}
function least(what, names,    n, name, i, best) {
    n = split(names, name, " "); best = 1
    for (i = 2; i <= n; i++) if (mean(name[i], "rr", what) < mean(name[best], "rr", what)) best = i
    return name[best]
}
# A frame of numbers in `unit`, the first column of which has names.
function frame(file, head, unit,    n, i, name) {
    gsub(/ /, "%20", unit)
    print "# warpscape frame 1\n# labels: 1" >file
    n = split(head, name, ",")
    for (i = 2; i <= n; i++) { gsub(/ /, "%20", name[i]); print "# column " name[i] " unit=" unit >file }
    print head >file
}
function frames(dir,    n, name, label, i) {
    frame(dir "/sharers.csv", "scheduler,SMs", "SMs")
    frame(dir "/time.csv", "scheduler,cycles", "over round robin")
    n = split("rr bcs q8 q8_adpt q16 q16_adpt qx qx_adpt", name, " ")
    for (i = 1; i <= n; i++) {
        printf "%s,%.4f\n", name[i], average(name[i], "block_users") >(dir "/sharers.csv")
        printf "%s,%.4f\n", name[i], mean(name[i], "rr", "cycles") >(dir "/time.csv")
    }
    print "# warpscape frame 1\n# labels: 0\n# column SMs unit=SMs\n# column round%20robin " \
        "unit=share%20of%20lines\n# column qx_adpt unit=share%20of%20lines\n# column q8 " \
        "unit=share%20of%20lines\nSMs,round robin,qx_adpt,q8" >(dir "/cdf.csv")
    n = split("1 2 3 4 6 8 12 16", at, " ") # a chip has 15
    for (i = 1; i <= n; i++)
        printf "%d,%.4f,%.4f,%.4f\n", (at[i] > 15 ? 15 : at[i]), average("rr", "blocks_by_" at[i]),
            average("qx_adpt", "blocks_by_" at[i]), average("q8", "blocks_by_" at[i]) >(dir "/cdf.csv")
    frame(dir "/management.csv", "machine,cycles,watts,joules,watts of the network", "over round robin")
    # +: caches that know; off: caches that turn themselves off
    split("bcs|bcs +|qx_adpt|qx_adpt +|rr +|off", label, "|")
    n = split("bcs bcs-know qx_adpt know rr-know stream", name, " ")
    for (i = 1; i <= n; i++)
        printf "%s,%.4f,%.4f,%.4f,%.4f\n", label[i], mean(name[i], "rr", "cycles"), mean(name[i], "rr", "W"),
            mean(name[i], "rr", "J"), mean(name[i], "rr", "W:network") >(dir "/management.csv")
    frame(dir "/groups.csv", "workload,L1 miss rate,L2 misses,bursts of memory,energy of memory", "over round robin")
    for (i = 1; i <= count; i++)
        printf "%s,%.4f,%.4f,%.4f,%.4f\n", list[i], ratio_of("know", "rr", list[i], "l1_miss_rate"),
            ratio_of("know", "rr", list[i], "l2_misses"), ratio_of("know", "rr", list[i], "bursts"),
            ratio_of("know", "rr", list[i], "J:memory") >(dir "/groups.csv")
    frame(dir "/kepler.csv", "L2,energy of L2,energy of the network,energy of memory,cycles", "over round robin")
    printf "768 KB,%.4f,%.4f,%.4f,%.4f\n", mean("know", "rr", "J:l2"), mean("know", "rr", "J:network"),
        mean("know", "rr", "J:memory"), mean("know", "rr", "cycles") >(dir "/kepler.csv")
    printf "2 MB,%.4f,%.4f,%.4f,%.4f\n", mean("kepler-know", "kepler", "J:l2"),
        mean("kepler-know", "kepler", "J:network"), mean("kepler-know", "kepler", "J:memory"),
        mean("kepler-know", "kepler", "cycles") >(dir "/kepler.csv")
}
END {
    derive()
    if (sample) { for (i = 1; i <= count; i++) if (("rr", list[i], "cycles") in v) print workload_row(list[i]); exit }
    changes(1, "bytes of memory, groups of a row with caches that know, over round robin with plain ones", "-19 %", -1,
        mean("know", "rr", "bursts"))
    changes(2, "watts of memory", "-10 %", -1, mean("know", "rr", "W:memory"))
    changes(3, "energy of memory", "-17 %", -1, mean("know", "rr", "J:memory"))
    changes(4, "execution time", "-7 %", -1, mean("know", "rr", "cycles"))
    changes(5, "miss rate of L1", "-13 %", -1, mean("know", "rr", "l1_miss_rate"))
    changes(6, "merged, of loads of shared lines that miss L1", "+11 %", 1,
        average("know", "shared_merged") / average("rr", "shared_merged"))
    changes(7, "L2 misses by instruction", "-47 %", -1, mean("know", "rr", "l2_mpki"))
    x = again("know") / again("rr")
    claim(8, "L2 misses that are not the first of their line", "81 % to 76 %",
        sprintf("%.1f %% to %.1f %%", 100 * again("rr"), 100 * again("know")), x < 0.99)
    changes(9, "energy of the GPU", "-6 %", -1, mean("know", "rr", "J"))
    changes(10, "energy of L2, network and memory", "-14 %", -1, mean("know", "rr", "J:outside"))
    claim(11, "their part of all energy, round robin: 25 to 45 %", "about 35 %",
        sprintf("%.1f %%", 100 * average("rr", "part")), average("rr", "part") > 0.25 && average("rr", "part") < 0.45)
    claim(12, "lines that several SMs use: fewer by groups", "60 % to 42 %",
        sprintf("%.0f %% to %.0f %%", 100 * average("rr", "blocks_shared"), 100 * average("qx_adpt", "blocks_shared")),
        average("qx_adpt", "blocks_shared") < 0.99 * average("rr", "blocks_shared"))
    claim(13, "SMs that use a line several do: fewer by groups", "2.41 to 2",
        sprintf("%.2f to %.2f", average("rr", "block_sharers"), average("qx_adpt", "block_sharers")),
        average("qx_adpt", "block_sharers") < 0.99 * average("rr", "block_sharers"))
    best = least("cycles", "q8 q16 qx q8_adpt q16_adpt qx_adpt")
    claim(14, "best time of all groups", "qx_adpt", best sprintf(" (%s)", change(mean(best, "rr", "cycles"))),
        best == "qx_adpt")
    best = least("block_users", "q8 q16 qx q8_adpt q16_adpt qx_adpt")
    claim(15, "fewest SMs a line", "qx", best, best == "qx")
    claim(16, "the last groups one by one: faster than groups alone", "yes",
        sprintf("%s, %s, %s", change(mean("q8_adpt", "q8", "cycles")), change(mean("q16_adpt", "q16", "cycles")),
        change(mean("qx_adpt", "qx", "cycles"))),
          mean("q8_adpt", "q8", "cycles") < 0.99 && mean("q16_adpt", "q16", "cycles") < 0.99 &&
              mean("qx_adpt", "qx", "cycles") < 0.99)
    x = mean("qx_adpt", "qx", "block_users")
    claim(17, "... and a few more SMs a line", "slightly", change(x), x > 1)
    changes(18, "time beside BCS", "-7 %", -1, mean("know", "bcs", "cycles"))
    claim(19, "BCS no faster than round robin", "no better", change(mean("bcs", "rr", "cycles")),
        mean("bcs", "rr", "cycles") > 0.99)
    changes(20, "BCS with caches that know, time beside BCS", "better", -1, mean("bcs-know", "bcs", "cycles"))
    changes(21, "caches that know beside those that turn themselves off, time", "-18 %", -1,
        mean("know", "stream", "cycles"))
    changes(22, "caches that turn themselves off, bytes of memory", "+2.3 %", 1, mean("stream", "rr", "bursts"))
    changes(23, "... energy of memory", "+1.7 %", 1, mean("stream", "rr", "J:memory"))
    claim(24, "... energy of the GPU: within 3 %", "+0.8 %", change(mean("stream", "rr", "J")),
        mean("stream", "rr", "J") > 0.97 && mean("stream", "rr", "J") < 1.03)
    changes(25, "with the L2 of 2 MB: energy of memory", "-8 %", -1, mean("kepler-know", "kepler", "J:memory"))
    changes(26, "... of the network", "-18 %", -1, mean("kepler-know", "kepler", "J:network"))
    changes(27, "... of L2", "-29 %", -1, mean("kepler-know", "kepler", "J:l2"))
    changes(28, "... time", "-3 %", -1, mean("kepler-know", "kepler", "cycles"))
    changes(29, "... bytes of memory", "-10 %", -1, mean("kepler-know", "kepler", "bursts"))
    table_head("| | cycles, round robin | bcs | qx_adpt | the same, caches that know | SMs a line, round robin | " \
        "qx_adpt |", dir "/workloads.md")
    for (i = 1; i <= count; i++) print workload_row(list[i]) >(dir "/workloads.md")
    frames(dir)
}
