# coherence_claims.awk - the claims of G-TSC from lines "RUN WORKLOAD COLUMN VALUE"
# (tests/studies/reproduce_coherence.sh): rows "| claim | theirs | ours | same direction? |" on standard output, frames
# of figures in `dir`. "Same direction" of a ratio: on the same side of 1, by more than 1 %; of "no difference": within
# 5 %. A claim without a number of its own is judged as its row says.
# variables: shared, private (workloads), scale, dir, steps (of leases, in doublings)

{ v[$1, $2, $3] = $4; seen[$1] = 1 }

function get(run, workload, column) { return v[run, workload, column] + 0 }
function cycles(run, w) { return get(run, w, "cycles") }
function bytes(run, w) { return get(run, w, "noc_request_bytes") + get(run, w, "noc_reply_bytes") }
function flits(run, w) { return get(run, w, "noc_request_flits") + get(run, w, "noc_reply_flits") }
function requests(run, w) { return get(run, w, "msg_READ") + get(run, w, "msg_WRITE") + get(run, w, "msg_ATOMIC") }
function answers(run, w) { return get(run, w, "msg_FILL") + get(run, w, "msg_RENEW") + get(run, w, "msg_ACK") }
function messages(run, w) { return requests(run, w) + answers(run, w) + get(run, w, "msg_ATOMIC_ACK") }
# Resets besides the one at the end of each launch.
function overflows(run, w,    launches) {
    launches = get(run, w, "launches")
    return get(run, w, "timestamp_resets") - (launches > 1 ? launches : 0)
}
function total_overflows(run, workloads,    list, n, i, sum) {
    n = split(workloads, list, " ")
    for (i = 1; i <= n; i++) sum += overflows(run, list[i])
    return sum
}
# Turns of schedulers lost to memory: turns are issued instructions over their share.
function stalls(run, w,    share) {
    share = get(run, w, "stall_memory") + get(run, w, "stall_load_store") + get(run, w, "stall_order")
    return share * get(run, w, "warp_instructions") / get(run, w, "issue_slots")
}
function measure(what, run, w) {
    if (what == "cycles") return cycles(run, w)
    if (what == "bytes") return bytes(run, w)
    if (what == "flits") return flits(run, w)
    if (what == "requests") return requests(run, w)
    if (what == "messages") return messages(run, w)
    if (what == "stalls") return stalls(run, w)
    return get(run, w, what)
}
# Geometric mean over workloads of what one run has over another one; keeps the extremes in least, most.
function mean(what, a, b, workloads,    list, n, i, r, sum) {
    n = split(workloads, list, " ")
    least = 1e300; most = 0
    for (i = 1; i <= n; i++) {
        r = measure(what, a, list[i]) / measure(what, b, list[i])
        sum += log(r)
        if (r < least) { least = r; least_at = list[i] }
        if (r > most) { most = r; most_at = list[i] }
    }
    return exp(sum / n)
}
function total(what, run, workloads,    list, n, i, sum) {
    n = split(workloads, list, " ")
    for (i = 1; i <= n; i++) sum += measure(what, run, list[i])
    return sum
}
# Largest difference of two runs in any of the workloads.
function spread(what, a, b, workloads,    m) {
    m = mean(what, a, b, workloads)
    return (most - 1 > 1 - least ? most - 1 : 1 - least)
}
function percent(ratio) { return sprintf("%+.1f %%", 100 * (ratio - 1)) }
function side(ratio, theirs) { return theirs > 1 ? (ratio > 1.01 ? "yes" : "no") : (ratio < 0.99 ? "yes" : "no") }
function row(claim, theirs, ours, same) { printf "| %s | %s | %s | %s |\n", claim, theirs, ours, same }
# A speedup of run a over run b, with what single workloads gain.
function speedup(claim, a, b, workloads, theirs,    m) {
    m = mean("cycles", b, a, workloads)
    row(claim, percent(theirs), percent(m) sprintf(" (%s %s to %s %s)", least_at, percent(least), most_at,
        percent(most)), side(m, theirs))
}
function each(what, a, b, workloads, scale_by,    list, n, i, text) {
    n = split(workloads, list, " ")
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") sprintf("%s %.2f", list[i], measure(what, a, list[i]) / measure(what, b,
            list[i]))
    return text
}
# Of runs "protocol:step" the one with which the workloads take the least time.
function best_lease(protocol,    list, n, i, m, best, found) {
    n = split(steps, list, " ")
    for (i = 1; i <= n; i++) {
        if (!((protocol ":" list[i]) in seen)) continue
        m = mean("cycles", protocol ":" list[i], protocol, shared)
        if (found == "" || m < best) { best = m; found = list[i] }
    }
    return found
}

function main_rows(    gap_tc, gap_gtsc, m, n, list, i, w, d, worst, at, few) {
    all = shared " " private
    speedup("G-TSC-RC over TC-RC, workloads that share data", "gtsc-rc", "tc-weak", shared, 1.38)
    speedup("G-TSC-SC over TC-SC, workloads that share data", "gtsc-sc", "tc-strong", shared, 1.84)
    speedup("G-TSC-SC over TC-RC, workloads that share data", "gtsc-sc", "tc-weak", shared, 1.26)
    speedup("G-TSC: RC over SC, workloads that share data", "gtsc-rc", "gtsc-sc", shared, 1.12)
    speedup("G-TSC: RC over SC, all twelve", "gtsc-rc", "gtsc-sc", all, 1.09)
    gap_tc = mean("cycles", "tc-strong", "tc-weak", shared)
    gap_gtsc = mean("cycles", "gtsc-sc", "gtsc-rc", shared)
    row("The gap between SC and RC is smaller in G-TSC than in TC",
        "+12 % against +46 % (follows from the three above)",
        percent(gap_gtsc) " against " percent(gap_tc), gap_gtsc < gap_tc ? "yes" : "no")
    m = cycles("gtsc-rc", "CCL") / cycles("gtsc-sc", "CCL")
    row("G-TSC: CC is faster with SC", "yes", "CCL: SC " percent(m), m > 1.01 ? "yes" : "no")
    m = measure("noc_request_latency", "gtsc-sc", "CCL") / measure("noc_request_latency", "gtsc-rc", "CCL")
    d = (requests("gtsc-sc", "CCL") / cycles("gtsc-sc", "CCL")) / (requests("gtsc-rc", "CCL") / cycles("gtsc-rc",
        "CCL"))
    row("CC under SC: network latency of a request, requests a cycle", "-29 %, -14 %",
        "CCL: " percent(m) ", " percent(d),
        m < 0.99 && d < 0.99 ? "yes" : "no")
    n = split("BH BFW " private, list, " ")
    for (i = 1; i <= n; i++) {
        d = cycles("gtsc-sc", list[i]) / cycles("gtsc-rc", list[i]) - 1
        if (d <= 0.05 && d >= -0.05) few++
        w = w (i > 1 ? ", " : "") list[i] " " percent(1 + d)
    }
    row("G-TSC: no visible gap between RC and SC in BH, BFS and most that share nothing", "8 of 8, about",
        few " of 8 within 5 %: " w,
        few >= 6 ? "yes" : "no")
    worst = 0
    n = split("bl tc-strong tc-weak gtsc-sc gtsc-rc", list, " ")
    for (i = 1; i <= n; i++) {
        d = spread("cycles", list[i], "gtsc-rc", "CP HS KM")
        if (d > worst) { worst = d; at = list[i] }
    }
    row("CCP, HS, KM: bound by computing, the protocol makes no difference", "none",
        sprintf("CP, HS, KM: at most %.1f %%", 100 * worst) (worst > 0.05 ? " (" at ")" : ""),
            worst < 0.05 ? "yes" : "no")
    if ("noncoherent" in seen) {
        m = mean("cycles", "gtsc-rc", "noncoherent", private)
        row("G-TSC against an L1 without coherence, workloads that share nothing", "about +11 % time",
            percent(m) sprintf(" (%s %s)", most_at, percent(most)), side(m, 1.11))
        d = spread("cycles", "gtsc-rc", "noncoherent", "CP GS HS MM")
        row("None of that for CCP, GE, HS, SGM", "none", "CP, GS, HS, MM: " each("cycles", "gtsc-rc",
            "noncoherent", "CP GS HS MM"), d < 0.05 ? "yes" : "no")
    }
    m = mean("stalls", "tc-weak", "gtsc-rc", shared)
    row("Cycles stalled by memory, TC over G-TSC, sharing data", "+45 %",
        "RC " percent(m) ", SC " percent(mean("stalls", "tc-strong", "gtsc-sc", shared)), side(m, 1.45))
    m = mean("stalls", "tc-weak", "gtsc-rc", private)
    row("Cycles stalled by memory, TC over G-TSC, sharing nothing", "more than +40 %",
        "RC " percent(m) ", SC " percent(mean("stalls", "tc-strong", "gtsc-sc", private)), side(m, 1.4))
    m = total("l1_expired", "gtsc-rc", shared) / total("l1_expired", "tc-weak", shared)
    row("Misses because a lease ended, against TC", "-48 %", percent(m) " RC, " percent(total("l1_expired",
        "gtsc-sc", shared) / total("l1_expired", "tc-strong", shared)) " SC, summed", side(m, 0.52))
    m = mean("bytes", "gtsc-rc", "tc-weak", shared)
    row("Traffic of the network against TC, RC, sharing data", "-20 %", percent(m) " bytes (" each("bytes",
        "gtsc-rc", "tc-weak", shared) "), " percent(mean("flits", "gtsc-rc", "tc-weak", shared)) " flits", side(m,
        0.8))
    m = mean("bytes", "gtsc-sc", "tc-strong", shared)
    row("Traffic of the network against TC, SC, sharing data", "-15.7 %",
        percent(m) " bytes, " percent(mean("flits", "gtsc-sc", "tc-strong", shared)) " flits", side(m, 0.843))
    m = spread("bytes", "gtsc-rc", "gtsc-sc", private)
    row("Traffic of RC and SC is about equal, sharing nothing", "equal", sprintf("within %.1f %%", 100 * m),
        m < 0.05 ? "yes" : "no")
    m = mean("cycles", "bl", "tc-weak", shared)
    row("TC over a machine without L1, sharing data (table II)",
        "-23 % (BH 0.65, CC 0.83, DLP 1.00, VPR 0.94, STN 1.15, BFS 0.34)", percent(m) " (" each("cycles", "bl",
        "tc-weak", shared) ")", side(m, 0.77))
    m = mean("cycles", "bl", "tc-weak", private)
    row("TC over a machine without L1, sharing nothing (table II)",
        "-1 % (CCP 1.00, GE 0.89, HS 0.96, KM 0.93, BP 1.22, SGM 0.99)", percent(m) " (" each("cycles", "bl",
        "tc-weak", private) ")", m < 1.05 && m > 0.95 ? "yes" : "no")
    m = mean("cycles", "bl", "gtsc-rc", shared)
    row("G-TSC-RC over a machine without L1, sharing data", "+6 % (follows)", percent(m), side(m, 1.06))
    if ("noncoherent" in seen) {
        m = mean("cycles", "bl", "noncoherent", shared)
        row("Coherence for nothing over a machine without L1", "up to +88 %",
            "up to " percent(most) " (" most_at "), in the mean " percent(m) "; an L1 without coherence",
            most > 1.01 ? "yes" : "no")
    }
    m = total("touches_per_store", "gtsc-rc", all) / 12
    mean("touches_per_store", "gtsc-rc", "gtsc-rc", all)
    row("Memory writes of a store instruction", "2 to 4", sprintf("%.1f in the mean (",
        m) list_of("touches_per_store", "gtsc-rc", all) ")", m >= 2 && m <= 4 ? "yes" : "no")
    row("Stores in flight, 48 to 64 warps at the same store", "about 200",
        sprintf("%.0f to %.0f, the same product", 48 * m, 64 * m), 64 * m >= 100 ? "yes" : "no")
}
function list_of(what, run, workloads,    list, n, i, text) {
    n = split(workloads, list, " ")
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") sprintf("%s %.1f", list[i], measure(what, run, list[i]))
    return text
}
function sweep_rows(    list, n, i, d, worst, moved, m, k, text, resets, top, weak, strong) {
    worst = moved = 0
    n = split("8 12 16 20", list, " ")
    for (i = 1; i <= n; i++) {
        d = spread("cycles", "lease:" list[i], "gtsc-rc", shared)
        if (d > worst) { worst = d; k = d == most - 1 ? most_at : least_at }
        m = mean("cycles", "lease:" list[i], "gtsc-rc", shared)
        if (m - 1 > moved || 1 - m > moved) moved = m > 1 ? m - 1 : 1 - m
    }
    row("Leases from 8 to 20: no change of performance", "none",
        sprintf("%.1f %% in the mean, %.1f %% at most (%s)", 100 * moved, 100 * worst, k),
        moved < 0.05 ? "yes" : "no")
    d = 0
    for (i = 1; i <= n; i++) {
        m = mean("messages", "lease:" list[i], "gtsc-rc", shared)
        if (m - 1 > d || 1 - m > d) d = m > 1 ? m - 1 : 1 - m
    }
    row("Leases from 8 to 20: no change of messages", "none (our reading of it)", sprintf("%.1f %% in the mean",
        100 * d), d < 0.05 ? "yes" : "no")
    moved = mean("cycles", "lease:30000", "gtsc-rc", shared)
    m = mean("cycles", "tc-weak:4", "tc-weak:0", shared)
    d = mean("cycles", "tc-strong:4", "tc-strong:0", shared)
    row("Extremes of the lease hurt", "yes, by renewals and by wrap-around",
        "time against 10 units: 1 unit " percent(mean("cycles", "gtsc-rc:-3", "gtsc-rc",
        shared)) ", 160 " percent(mean("cycles", "gtsc-rc:4", "gtsc-rc",
        shared)) ", 30000 " percent(moved) sprintf(" (%d resets)", total_overflows("lease:30000",
        shared)) "; TC against 400 cycles: 6400 RC " percent(m) ", SC " percent(d), moved > 1.01 ? "yes" : "no")
    weak = best_lease("tc-weak"); strong = best_lease("tc-strong")
    text = sprintf("RC %s against TC-RC with %d cycles, SC %s against TC-SC with %d", percent(mean("cycles",
        "tc-weak:" weak, "gtsc-rc", shared)), 400 * 2 ^ weak, percent(mean("cycles", "tc-strong:" strong,
        "gtsc-sc", shared)), 400 * 2 ^ strong)
    m = mean("cycles", "tc-weak:" weak, "gtsc-rc", shared)
    row("G-TSC over TC with the lease that suits TC best (the paper does not tell TC's)", "+38 %, +84 %", text,
        side(m, 1.38))
    m = mean("requests", "forward", "gtsc-rc", shared)
    row("Requests when all reads go to L2 instead of waiting for the first", "+12 to +35 %",
        percent(m) " (" each("requests", "forward", "gtsc-rc", shared) ")", side(m, 1.2))
    d = mean("cycles", "gtsc-rc", "two-copies", shared)
    row("A store locks its line: slower than two copies", "negligibly", percent(d) sprintf(" (%s %s)", most_at,
        percent(most)), d < 1.05 && d > 0.95 ? "yes" : "no")
    n = split(all, list, " ")
    for (i = 1; i <= n; i++) {
        resets += overflows("gtsc-rc", list[i])
        if (get("gtsc-rc", list[i], "greatest_timestamp") > top) { top = get("gtsc-rc", list[i],
            "greatest_timestamp"); k = list[i] }
    }
    row("Timestamps of 16 bits hardly ever start again", "rare",
        sprintf("%d times in the twelve; the greatest is %d (%s)", resets, top, k), resets <= 12 ? "yes" : "no")
    m = mean("cycles", "polls:tc-weak", "polls:gtsc-rc", shared)
    row("G-TSC-RC over TC-RC when volatile loads go to L2", "not told", percent(m) "; SC " percent(mean("cycles",
        "polls:tc-strong", "polls:gtsc-sc", shared)), side(m, 1.38))
}
function energy_rows() {
    row("Energy against TC and BL, by part, RC against SC, and of the L1", "-9 to -11 % in all", "–", "needs power")
    row("Buffer that follows invalidations", "up to 28 % of L2 (quoted there)", "–", "not here")
}

# ------------------------------------------------------------------------------------------------ frames of figures

function lease_frame(f,    p, list, n, i, names, k) {
    print "# warpscape frame 1\n# column doublings unit=of%2010%20units,%20or%20of%20400%20cycles" > f
    print "# column cycles unit=times%20those%20at%200 group=cycles" > f
    print "# column messages unit=times%20those%20at%200 group=messages" > f
    print "# labels: 1\nprotocol,doublings,cycles,messages" > f
    split("gtsc-rc tc-weak tc-strong", names, " ")
    n = split(steps, list, " ")
    for (k = 1; k <= 3; k++)
        for (i = 1; i <= n; i++) {
            p = names[k] ":" list[i]
            printf "%s,%d,%.4f,%.4f\n", names[k], list[i], mean("cycles", p, names[k] ":0", shared),
                mean("messages", p, names[k] ":0", shared) > f
        }
    close(f)
}
function consistency_frame(f,    list, n, i, names, k) {
    print "# warpscape frame 1" > f
    split("tc-strong tc-weak gtsc-sc gtsc-rc", names, " ")
    for (k = 1; k <= 4; k++) print "# column " names[k] " unit=speed%20over%20no%20L1" > f
    print "# labels: 1\nworkload,tc-strong,tc-weak,gtsc-sc,gtsc-rc" > f
    n = split(all, list, " ")
    for (i = 1; i <= n; i++) {
        printf "%s", list[i] > f
        for (k = 1; k <= 4; k++) printf ",%.4f", cycles("bl", list[i]) / cycles(names[k], list[i]) > f
        print "" > f
    }
    close(f)
}
function traffic_frame(f,    list, n, i, names, k, part, parts, types, j, many, sum, t) {
    split("reads,stores,atomics,data,renewals,acks,old values", part, ",")
    split("READ WRITE ATOMIC FILL RENEW ACK ATOMIC_ACK", types, " ")
    print "# warpscape frame 1" > f
    for (j = 1; j <= 7; j++) { t = part[j]; sub(" ", "%20", t);
        print "# column " t " unit=times%20those%20without%20L1 group=bytes" > f }
    print "# labels: 2\nworkload,protocol,reads,stores,atomics,data,renewals,acks,old values" > f
    split("tc-strong gtsc-sc tc-weak gtsc-rc", names, " ")
    n = split(shared, list, " ")
    for (i = 1; i <= n; i++)
        for (k = 1; k <= 4; k++) {
            printf "%s,%s", list[i], names[k] > f
            for (j = 1; j <= 7; j++) printf ",%.4f", get(names[k], list[i], "bytes_" types[j]) / bytes("bl",
                list[i]) > f
            print "" > f
        }
    close(f)
}
function timestamps_frame(f,    list, n, i, b, run) {
    print "# warpscape frame 1\n# column bits unit=of%20a%20timestamp" > f
    print "# column greatest unit=log2 group=greatest%20timestamp" > f
    print "# column resets unit=log10%20of%201%20more group=resets" > f
    print "# column cycles unit=times%20those%20with%2016%20bits group=cycles" > f
    print "# labels: 1\nworkload,bits,greatest,resets,cycles" > f
    n = split(shared, list, " ")
    for (i = 1; i <= n; i++)
        for (b = 6; b <= 16; b++) {
            run = "bits:" b
            printf "%s,%d,%.4f,%.4f,%.4f\n", list[i], b, log(get(run, list[i], "greatest_timestamp")) / log(2),
                log(1 + overflows(run, list[i])) / log(10), cycles(run, list[i]) / cycles("bits:16", list[i]) > f
        }
    close(f)
}

END {
    main_rows()
    if (scale != "tiny") exit
    sweep_rows()
    energy_rows()
    lease_frame(dir "/lease.csv")
    consistency_frame(dir "/consistency.csv")
    traffic_frame(dir "/traffic.csv")
    timestamps_frame(dir "/timestamps.csv")
}
