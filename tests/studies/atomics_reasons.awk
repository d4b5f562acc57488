# atomics_reasons.awk - the second half of atomics_claims.awk: what was varied, one thing at a time, to explain misses.
# Runs are those of reproduce_atomics.sh, "RUN+VARIANT"; bold is what is as in the thesis, by the rule in the head.

function shown(said, holds) { return holds ? " **" said "** |" : " " said " |" }
function percents(x) { return x == "" ? "-" : sprintf("%.0f %%", x) }

# ---------------------------------------------------------------------------------------- lines, by the blocks of an SM

function spared(run, names,    x) { x = mean_of("traffic", run, names); return x == "" ? "" : 1 - x }
function residency_row(text, of,    n, name, i, run, x, best, line) {
    n = split("lab16 lab64 lab128", run, " ")
    for (i = 1; i <= n; i++) { x = spared(run[i] of, "VGG SN"); if (x == "") return ""; if (x > best) best = x }
    n = split("VGG SN", name, " ")
    for (i = 1; i <= n; i++)
        line = line " " percents(ours("hits", run[1] of, name[i])) ", " percents(ours("hits", run[2] of, name[i])) \
            " | " percents(100 * spared(run[1] of, name[i])) ", " percents(100 * spared(run[2] of, name[i])) " |"
    x = spared(run[1] of, "VGG SN") / best
    return "| " text " |" line shown(percents(100 * x), x > 0.8)
}
function residency(file,    n, of, called, i) {
    n = split("|+blocks2|+blocks1", of, "|"); split("as many as fit|2|1", called, "|")
    table_head("| blocks of an SM | VGG: updates kept by 16, 64 lines | bytes spared | SN: updates kept | bytes " \
        "spared | both: what 16 lines spare, of the best of 16, 64 and 128 (rule: 80 %) |", file)
    for (i = 1; i <= n; i++) print residency_row(called[i], of[i]) > file
    close(file)
}

# ------------------------------------------------------------------------------------------------ lines that SMs own

function owners_row(w, text, of,    a, b, hits, misses) {
    a = get("owned" of, w, "cycles")
    b = get("phi0" of, w, "cycles")
    hits = get("owned" of, w, "owned_hits")
    misses = get("owned" of, w, "owned_misses")
    if (!a || !b || !(hits + misses)) return "| " w " | " text " | - | - | - |"
    return "| " w " | " text " | " percents(100 * hits / (hits + misses)) " | " \
        percents(100 * get("owned" of, w, "owned_transfers") / (hits + misses)) " |" \
        shown(sprintf("%.2f", a / b), a < 0.99 * b)
}
function owners(file,    n, line, i, cell) {
    table_head("| | | atomics whose SM has the line | that fetch it from another SM | hLRC over PHI, time (rule: " \
        "below 0.99) |", file)
    n = split("CC-tiny;one SM;+sms1|CC-tiny;2 SMs;+sms2|CC-tiny;4 SMs, one for each of its blocks;+sms4|CC;10 " \
        "SMs;|CC;10 SMs, an L1 of 512 KB;+ways1024|SN;one SM;+sms1|SN;2 SMs;+sms2|SN;10 SMs;|AN;one SM;+sms1|AN;2 " \
        "SMs;+sms2|AN;10 SMs;|SN-10;10 SMs, blocks in turn;+turns|SN-10;10 SMs, blocks of a picture on " \
        "one;+apart|AN-10;10 SMs, blocks in turn;+turns|AN-10;10 SMs, blocks of a picture on one;+apart", line, "|")
    for (i = 1; i <= n; i++) { split(line[i], cell, ";"); print owners_row(cell[1], cell[2], cell[3]) > file }
    close(file)
}

# ------------------------------------------------------------------------------------------ what moving a line may cost

# hLRC over a run; how: 1: DATA, NONE and TAKEN are priced as messages of their own, 2: and each request of an atomic
# for a line asks L2, which asks an owner.
function priced(w, how, over,    e, asked, hits, misses) {
    if (!(("owned", w) in ran) || !((over, w) in ran)) return ""
    e = joules("owned", w)
    if (how >= 1)
        e += pj["network", "message"] * (get("owned", w, "msg_DATA") + get("owned", w, "msg_NONE") \
            + get("owned", w, "msg_TAKEN"))
    if (how == 2) {
        hits = get("owned", w, "owned_hits"); misses = get("owned", w, "owned_misses")
        asked = get("owned", w, "msg_OWN")
        # OWN and its answer, TAKEN, INVALIDATE, DATA: those that were not sent.
        e += (hits + misses - asked) * (2 * pj["network", "message"] + pj["l2", "read"]) \
            + (hits + misses - get("owned", w, "owned_transfers")) * (2 * pj["network", "message"] + pj["l2", "write"])
    }
    return e / joules(over, w)
}
function mean_priced(how, over,    i, x, n, sum) {
    for (i = 1; i <= count; i++)
        if (in_any("main", list[i])) { x = priced(list[i], how, over); if (x != "") { sum += x; n++ } }
    return n ? sum / n : ""
}
function more(x) { return shown(signed(x), x != "" && x > 1.01) }
# What theirs needs of its two workloads with the most atomics that meet: means of 15 with and of 13 without them.
function of_two(    all, but, n, two) {
    all = printed["L18", "energy", "hLRC"]; but = printed["L19", "energy", "hLRC without CCA and H"]
    n = 15; two = 2; return (n * all - (n - two) * but) / two
}
function moved(file,    n, w, i) {
    table_head("| hLRC over the baseline (rule: +1 %) | time | energy, by accesses | each message of a transfer " \
        "priced | each request of an atomic moves its line | the same, over `serialize` |", file)
    n = split("H CCA MIS PR", w, " ")
    for (i = 1; i <= n; i++)
        print "| " w[i] " |" more(ours("time", "owned", w[i])) more(priced(w[i], 0, "base")) more(priced(w[i], 1,
            "base")) more(priced(w[i], 2, "base")) more(priced(w[i], 2, "serialize")) > file
    print "| all 13 |" more(mean("time", "owned", "main")) more(mean_priced(0, "base")) more(mean_priced(1,
        "base")) more(mean_priced(2, "base")) more(mean_priced(2, "serialize")) > file
    printf "| theirs: all; H and CCA, from that and all others | %s | %s; %+.0f %% | | | |\n",
        percent(printed["L18", "time", "hLRC"]), percent(printed["L18", "energy", "hLRC"]), of_two() > file
    close(file)
}

# --------------------------------------------------------------------------------------- L1s that allocate when written

# Worse by more than 1 %, hardly worse, better, as the thesis has them.
function allocating(file,    n, m, w, said, run, i, j, x, line, sum, many) {
    table_head("| PHI over the baseline, time, scale small (rule: worse is above +1 %, better below 0) | theirs | " \
        "write through, `write_allocate = fetch` | `write = back`, `fetch` | `back`, `lazy` | `back`, `fetch` " \
        "without PHI |", file)
    n = split("BP BFS DWT SRAD NW NE PF PFL LUD GS BTREE", w, " ")
    split("worse worse worse worse slightly,worse slightly,worse slightly,worse slightly,worse better better better",
        said, " ")
    m = split("phi0+fetch phi0+back phi0+lazy base+back", run, " ")
    for (i = 1; i <= n; i++) {
        gsub(",", " ", said[i])
        line = "| " w[i] " | " said[i] " |"
        for (j = 1; j <= m; j++) {
            x = ours("time", run[j], w[i])
            line = line shown(signed(x), x != "" && (said[i] == "worse" ? x > 1.01 : said[i] == "better" ? x < 1 \
                : x > 1))
            if (x != "") { sum[j] += x; many[j]++ }
        }
        print line > file
    }
    line = "| mean | " percent(printed["L28", "time", "GPGPU with PHI"]) " |"
    for (j = 1; j <= m; j++) { x = many[j] ? sum[j] / many[j] : ""; line = line shown(signed(x), x != "" && x > 1.01) }
    print line > file
    close(file)
}
