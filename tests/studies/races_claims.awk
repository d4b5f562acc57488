# races_claims.awk - race detection (Tabbakh, 2018, chapter 4) from the table of workloads, the table of their
# benchmarks and lines "SCALE RUN WORKLOAD COLUMN VALUE" (tests/studies/reproduce_races.sh): in `dir` the claims, "|
# claim | theirs | ours | same direction? |", the tables of configurations and of workloads, and frames of figures.
# Means are arithmetic, as theirs; of forced shares over those that have any. Rank correlations are Spearman's, over the
# workloads for which both have a number. "Same direction" is what stands in brackets, or the same side of 1 by more
# than 1 %.
# variables: dir; sample (rows of workloads alone, to standard output)

FILENAME == "tests/studies/races_workloads.txt" {
    if (!/^#/ && NF) { list[++count] = $1; theirs_name[$1] = $2; small[$1] = / small/ }
    next
}
FILENAME ~ /[.]csv$/ {
    if (/^#/) next
    m = split($0, cell, ",")
    if (!columns) { columns = m; for (i = 3; i <= m; i++) column[i] = cell[i]; next }
    for (i = 3; i <= m; i++) if (cell[i] != "NA") theirs[cell[1], column[i], cell[2]] = cell[i]
    next
}
{ v[$1, $2, $3, $4] = $5; ran[$1, $2, $3] = 1 }

# ------------------------------------------------------------------------------ a number of ours: "" when there is none

function get(scale, run, w, what) { return v[scale, run, w, what] }
function forced(scale, run, w,    f, r) {
    f = get(scale, run, w, "race_forced_syncs"); r = get(scale, run, w, "race_race_syncs")
    return f + r > 0 ? 100 * f / (f + r) : ""
}
# Simulations kept from before the column had its name have it as race_missed_share.
function missed(scale, run, w) {
    return 100 * ((scale, run, w, "race_old_per_miss") in v ? get(scale, run, w, "race_old_per_miss") \
        : get(scale, run, w, "race_missed_share"))
}
# Their two kinds: too old; in the filter, or perhaps, where the signature had not come.
function expired(scale, run, w,    e, all) {
    e = get(scale, run, w, "race_expired")
    all = e + get(scale, run, w, "race_found") + get(scale, run, w, "race_unknown")
    return all > 0 ? missed(scale, run, w) * e / all : 0
}
function added(scale, run, w) { return get(scale, run, w, "joules_detector") + get(scale, run, w, "joules_filter") }
function ours(what, scale, run, w) {
    if (!((scale, run, w) in ran)) return ""
    if (what == "time") return get(scale, run, w, "cycles") / get(scale, "rc", w, "cycles")
    if (what == "forced") return forced(scale, run, w)
    if (what == "missed") return missed(scale, run, w)
    if (what == "expired") return expired(scale, run, w)
    if (what == "energy")
        return 100 * (get(scale, run, w, "joules") - added(scale, run, w)) / get(scale, "rc", w, "joules")
    if (what == "traffic")
        return (get(scale, run, w, "noc_request_bytes") + get(scale, run, w, "noc_reply_bytes")) \
            / (get(scale, "rc", w, "noc_request_bytes") + get(scale, "rc", w, "noc_reply_bytes"))
    return 100 * get(scale, run, w, "joules_" what) / get(scale, "rc", w, "joules") # detector, filter
}
function published(what, run, w,    b) {
    b = theirs_name[w]
    if (what == "missed")
        return ("expired", run, b) in theirs ? theirs["expired", run, b] + theirs["found", run, b] : ""
    return (what, run, b) in theirs ? theirs[what, run, b] : ""
}
function number(whose, what, scale, run, w) {
    return whose == "ours" ? ours(what, scale, run, w) : published(what, run, w)
}
function is_in(scale, w) { return scale == "tiny" || small[w] }
function mean(whose, what, scale, run,    i, x, n, sum) {
    for (i = 1; i <= count; i++)
        if (is_in(scale, list[i])) { x = number(whose, what, scale, run, list[i]); if (x != "") { sum += x; n++ } }
    return n ? sum / n : ""
}
function most(whose, what, scale, run,    i, x, top) {
    for (i = 1; i <= count; i++)
        if (is_in(scale, list[i])) {
            x = number(whose, what, scale, run, list[i])
            if (x != "" && (top == "" || x > top)) { top = x; most_at = list[i] }
        }
    return top
}
# ------------------------------------------------------------------------------------------------ rank correlation

function ranks(x, n, rank,    i, j, below, same) {
    for (i = 1; i <= n; i++) {
        below = same = 0
        for (j = 1; j <= n; j++) { below += x[j] < x[i]; same += x[j] == x[i] }
        rank[i] = below + (same + 1) / 2
    }
}
function correlation(a, b, n,    i, ma, mb, sab, saa, sbb) {
    for (i = 1; i <= n; i++) { ma += a[i] / n; mb += b[i] / n }
    for (i = 1; i <= n; i++) { sab += (a[i] - ma) * (b[i] - mb); saa += (a[i] - ma) ^ 2; sbb += (b[i] - mb) ^ 2 }
    return saa > 0 && sbb > 0 ? sab / sqrt(saa * sbb) : ""
}
# Sets `compared`, of how many.
function spearman(what, scale, run,    i, n, a, b, x, y, ra, rb) {
    for (i = 1; i <= count; i++) {
        if (!is_in(scale, list[i])) continue
        x = published(what, run, list[i]); y = ours(what, scale, run, list[i])
        if (x == "" || y == "") continue
        a[++n] = x + 0; b[n] = y + 0
    }
    compared = n
    if (n < 3) return ""
    ranks(a, n, ra); ranks(b, n, rb)
    return correlation(ra, rb, n)
}

# ------------------------------------------------------------------------------------------------ tables

function text_of(x, format) { return x == "" ? "-" : sprintf(format, x) }
function cell_of(what, scale, run, format,    r) {
    r = spearman(what, scale, run)
    return text_of(mean("theirs", what, scale, run), format) ", " text_of(mean("ours", what, scale, run), format) ", " \
        text_of(r, "%.2f") (compared < places(scale) && r != "" ? " of " compared : "")
}
function places(scale,    i, n) { for (i = 1; i <= count; i++) n += is_in(scale, list[i]); return n }
function configurations(scale, steps, file,    k, kb, n, c, letters, m, run) {
    table_head("| | time over base | forced, % | old copies, % of misses | GPU energy, % of base | detector energy, " \
        "% of base |", file)
    m = split("I N B W K H", letters, " "); n = split(steps, kb, " ")
    for (c = 1; c <= m; c++) for (k = 1; k <= n; k++) {
        run = letters[c] kb[k]
        print "| " run " | " cell_of("time", scale, run, "%.3f") " | " cell_of("forced", scale, run, "%.0f") " | " \
            cell_of("missed", scale, run, "%.1f") " | " cell_of("energy", scale, run, "%.1f") " | " \
            cell_of("detector", scale, run, "%.2f") " |" > file
    }
    close(file)
}
function pair(what, run, w, format) {
    return text_of(published(what, run, w), format) ", " text_of(ours(what, "tiny", run, w), format)
}
function workload_row(w) {
    return "| " w ", " theirs_name[w] " | " pair("time", "I4", w, "%.2f") " | " pair("time", "N4", w, "%.2f") " | " \
        pair("time", "B4", w, "%.2f") " | " pair("time", "W4", w, "%.2f") " | " pair("time", "K4", w, "%.2f") " | " \
        pair("time", "H4", w, "%.2f") " | " pair("forced", "K4", w, "%.0f") " | " pair("missed", "K4", w, "%.1f") \
            " | " pair("energy", "K4", w, "%.1f") " | " pair("detector", "B4", w, "%.1f") " |"
}
function workloads(file,    i) {
    table_head("| | I4 | N4 | B4 | W4 | K4 | H4 | forced K4 | old copies K4 | energy K4 | detector B4 |", file)
    for (i = 1; i <= count; i++) print workload_row(list[i]) > file
    close(file)
}

# ------------------------------------------------------------------------------------------------ claims

BEGIN { rows_to = dir "/claims.md" }
function time_of(run) { return mean("ours", "time", "tiny", run) }
function share_of(run) { return mean("ours", "forced", "tiny", run) }
function sizes(what, letter, format,    i, kb, n, text) {
    n = split("1 2 4 8 16", kb, " ")
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") text_of(mean("ours", what, "tiny", letter kb[i]), format)
    return text
}
# Falls from size to size, by at most `slack` in the other direction.
function falls(what, letter, slack,    i, kb, n, ok) {
    n = split("1 2 4 8 16", kb, " "); ok = 1
    for (i = 2; i <= n; i++)
        ok = ok && mean("ours", what, "tiny", letter kb[i]) <= mean("ours", what, "tiny", letter kb[i - 1]) + slack
    return ok
}
# At every size the first letter is below the second.
function below(what, a, b, slack,    i, kb, n, ok) {
    n = split("1 2 4 8 16", kb, " "); ok = 1
    for (i = 1; i <= n; i++)
        ok = ok && mean("ours", what, "tiny", a kb[i]) < mean("ours", what, "tiny", b kb[i]) + slack
    return ok
}
function fastest(    i, j, kb, letter, n, m, best, x) {
    n = split("1 2 4 8 16", kb, " "); m = split("N B W K H", letter, " ")
    for (i = 1; i <= m; i++)
        for (j = 1; j <= n; j++) {
            x = time_of(letter[i] kb[j])
            if (best == "" || x < best) { best = x; best_at = letter[i] kb[j] }
        }
    return best
}
# Instructions of global memory, of all.
function memory_share(w) {
    return (per(get("tiny", "rc", w, "l1_loads"), get("tiny", "rc", w, "touches_per_load")) \
        + per(get("tiny", "rc", w, "l1_stores"), get("tiny", "rc", w, "touches_per_store"))) \
        / get("tiny", "rc", w, "warp_instructions")
}
function per(lines, lines_of_one) { return lines_of_one > 0 ? lines / lines_of_one : 0 }
function intensive(run,    i, j, n, sum, above) # those of the upper half
{
    for (i = 1; i <= count; i++) {
        above = 0
        for (j = 1; j <= count; j++) above += memory_share(list[j]) > memory_share(list[i])
        if (above < count / 2) { sum += ours("time", "tiny", run, list[i]); n++ }
    }
    return sum / n
}
function ratio_of(what, a, b) { return mean("ours", what, "tiny", a) / mean("ours", what, "tiny", b) }
function without_races(names, run,    n, name, i, k) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++)
        k += get("tiny", run, name[i], "race_forced_syncs") + get("tiny", run, name[i], "race_race_syncs") == 0
    return k " of " n
}
function races_of(run,    i, sum) {
    for (i = 1; i <= count; i++) sum += get("tiny", run, list[i], "race_race_syncs")
    return sum
}
function total_of(run) {
    return mean("ours", "energy", "tiny", run) + mean("ours", "detector", "tiny", run) \
        + mean("ours", "filter", "tiny", run)
}
function over(a, b, what,    i, n, sum) {
    for (i = 1; i <= count; i++)
        if (ours(what, "tiny", b, list[i]) > 0) {
            sum += ours(what, "tiny", a, list[i]) / ours(what, "tiny", b, list[i]); n++
        }
    return sum / n
}
function signed(x) { return sprintf("%+.1f %%", 100 * (x - 1)) }
function claims(    a, b, c, d) {
    a = fastest()
    row("Fastest with real delays (rule: blocks of 4 Kb)", "K4, 1.053",
        sprintf("%s, %.3f; K4 %.3f", best_at, a, time_of("K4")), best_at == "K4")
    row("Time of Ideal, 1 to 16 Kb", "1.078 to 1.083", sizes("time", "I", "%.3f"), time_of("I4") > 1.01)
    row("Time without speculation", "1.193 to 1.204", sizes("time", "N", "%.3f"), time_of("N4") > 1.01)
    row("Without speculation above Ideal by (rule: 5 points or more)", "13 points",
        sprintf("%.0f points", 100 * (time_of("N4") - time_of("I4"))), time_of("N4") - time_of("I4") > 0.05)
    row("Without speculation, memory-intensive (rule: above all; of ours the half with most memory instructions)",
        "+27.8 to 29.7 %", signed(intensive("N4")), intensive("N4") > time_of("N4"))
    row("By unit: blocks and half pages below words below bytes, each size", "1.06, 1.06, 1.09, 1.11",
        sprintf("4 Kb: %.3f, %.3f, %.3f, %.3f", time_of("K4"), time_of("H4"), time_of("W4"), time_of("B4")),
        below("time", "K", "W", 0) && below("time", "H", "W", 0) && below("time", "W", "B", 0))
    row("At 1 Kb half pages are best", "1.064, blocks 1.070",
        sprintf("%.3f, blocks %.3f", time_of("H1"), time_of("K1")), time_of("H1") < time_of("K1"))
    row("Larger signatures make bytes faster, each size", "1.132 to 1.079", sizes("time", "B", "%.3f"),
        falls("time", "B", 0))
    row("... and words", "1.115 to 1.069", sizes("time", "W", "%.3f"), falls("time", "W", 0))
    row("Half pages do not care (rule: within 0.02)", "1.063 to 1.064", sizes("time", "H", "%.3f"),
        time_of("H16") - time_of("H1") < 0.02 && time_of("H1") - time_of("H16") < 0.02)
    row("Blocks and half pages faster than Ideal, 4 Kb", "1.053, 1.063; 1.078",
        sprintf("%.3f, %.3f; %.3f", time_of("K4"), time_of("H4"), time_of("I4")), time_of("K4") < time_of("I4") &&
        time_of("H4") < time_of("I4"))
    row("... if signatures take no bytes on the network (blocks)", "not said", sprintf("%.3f", time_of("K4-header")),
        time_of("K4-header") < time_of("I4"))
    row("Forced share of bytes, 1 Kb (rule: above 80)", "96 %", sprintf("%.0f %%", share_of("B1")), share_of("B1") > 80)
    row("Forced share of blocks, 16 Kb (rule: below half)", "22 %", sprintf("%.0f %%", share_of("K16")),
        share_of("K16") < 50)
    row("Forced share: half pages below blocks, each size", "43 to 4 %",
        sizes("forced", "H", "%.0f") "; blocks " sizes("forced", "K", "%.0f"), below("forced", "H", "K", 0))
    row("Forced share falls as signatures grow: bytes, words, blocks, half pages", "yes",
        "bytes " sizes("forced", "B", "%.0f") "; words " sizes("forced", "W", "%.0f"), falls("forced", "B", 0) &&
        falls("forced", "W", 0) && falls("forced", "K", 0) && falls("forced", "H", 0))
    row("Forced share: bytes above words above blocks, each size", "96, 87, 74 % at 1 Kb",
        sprintf("%.0f, %.0f, %.0f %% at 1 Kb; %.0f, %.0f, %.0f %% at 4 Kb", share_of("B1"), share_of("W1"),
        share_of("K1"), share_of("B4"), share_of("W4"), share_of("K4")), below("forced", "W", "B", 0) &&
        below("forced", "K", "W", 0))
    a = races_of("H4") / races_of("K4")
    row("Half pages find more races than blocks, 4 Kb", "+8 to 21 %", signed(a), a > 1.01)
    a = mean("ours", "missed", "tiny", "B1"); b = mean("ours", "missed", "tiny", "K16")
    row("Old copies, of misses: bytes of 1 Kb to blocks of 16 Kb (rule: above 10 %, bytes more)", "32.1 to 22.1 %",
        sprintf("%.1f to %.1f %%", a, b), b > 10 && a > b)
    a = mean("ours", "expired", "tiny", "K4"); b = mean("ours", "expired", "tiny", "I4")
    row("Blocks lose fewer copies to age than Ideal, 4 Kb", "22.1 to 25.2 %", sprintf("%.1f to %.1f %%", a, b), a < b)
    row("Nothing forced and no race with blocks of 16 Kb: CP HS KM MRIQ MUM NN PF SGM ST3D (rule: seven)", "9 of 9",
        without_races("CP HS KM MRIQ MUM NN PF SGM ST3D", "K16"),
        without_races("CP HS KM MRIQ MUM NN PF SGM ST3D", "K16") + 0 >= 7)
    a = mean("ours", "detector", "tiny", "B16")
    row("Energy of the detector, bytes of 16 Kb (rule: above 10 %)", "58.9 % of base", sprintf("%.1f %%", a), a > 10)
    a = most("ours", "detector", "tiny", "B16")
    row("... at worst (rule: above twice the mean)", "LBM 157 %", sprintf("%s %.0f %%", most_at, a),
        a > 2 * mean("ours", "detector", "tiny", "B16"))
    row("Energy of the detector, blocks and half pages of 16 Kb (rule: below 1.5 %)", "0.91, 0.91 %",
        sprintf("%.2f, %.2f %%", mean("ours", "detector", "tiny", "K16"), mean("ours", "detector", "tiny", "H16")),
        mean("ours", "detector", "tiny", "K16") < 1.5 && mean("ours", "detector", "tiny", "H16") < 1.5)
    a = ratio_of("detector", "B16", "B1")
    row("... in proportion to bits: bytes, 16 Kb over 1 Kb (rule: within a fifth)", "15.7", sprintf("%.1f", a),
        a > 12.5 && a < 19)
    a = ratio_of("detector", "B16", "K16"); b = ratio_of("detector", "W16", "K16")
    row("... bytes and words over blocks, 16 Kb (rule: within a factor of two)", "65, 27", sprintf("%.0f, %.0f", a, b),
        a > 32 && a < 130 && b > 13 && b < 55)
    row("Energy of filters, at most (rule: below 0.2 %)", "0.09 %",
        sprintf("%.3f %% (words of 16 Kb)", mean("ours", "filter", "tiny", "W16")),
        mean("ours", "filter", "tiny", "W16") < 0.2)
    row("Energy of the GPU without all that, 4 Kb: blocks below words below bytes", "102.4, 104.3, 105.2 %",
        sprintf("%.1f, %.1f, %.1f %%", mean("ours", "energy", "tiny", "K4"), mean("ours", "energy", "tiny", "W4"),
        mean("ours", "energy", "tiny", "B4")), below("energy", "K", "W", 0) && below("energy", "W", "B", 0))
    row("Energy in all, blocks of 4 Kb (rule: within 5 %)", "102.6 %", sprintf("%.1f %%", total_of("K4")),
        total_of("K4") < 105)
    a = over("K4", "gtsc", "time")
    b = over("K4", "gtsc", "traffic")
    c = over("K4", "gtsc", "energy")
    d = over("I4", "gtsc", "time")
    row("Against G-TSC: time (rule: within 2 %)", "2 %", signed(a) "; Ideal " signed(d), a < 1.02 && a > 0.98)
    row("... bytes on the networks", "5 % less", signed(b) "; signatures without bytes " \
        signed(over("K4-header", "gtsc", "traffic")), b < 0.99)
    row("... energy (rule: within 1 %)", "1 %", signed(c), c < 1.01 && c > 0.99)
    close(dir "/claims.md")
}

# ------------------------------------------------------------------------------------------------ frames of figures

function frames(    kb, n, i, letter, m, j, run, line, name, races) {
    n = split("1 2 4 8 16", kb, " "); m = split("I N B W K H", letter, " ")
    split("Ideal,NoSpec,Byte,Word,Block,Half", name, ",")
    open_frame("time", "signature", "Ideal,NoSpec,Byte,Word,Block,Half", "cycles%20over%20base")
    open_frame("syncs", "signature,by", "forced,races", "of%20both,%20percent")
    open_frame("misses", "signature,by", "expired,filtered", "of%20misses,%20percent")
    open_frame("energy", "signature,by", "more,detector,filters", "of%20base,%20percent")
    for (i = 1; i <= n; i++) {
        line = ""
        for (j = 1; j <= m; j++) {
            run = letter[j] kb[i]
            line = line "," time_of(run)
            if (share_of(run) != "")
                printf "%s Kb,%s,%.4f,%.4f\n", kb[i], name[j], share_of(run), 100 - share_of(run) > (dir "/syncs.csv")
            races = mean("ours", "missed", "tiny", run)
            printf "%s Kb,%s,%.4f,%.4f\n", kb[i], name[j], mean("ours", "expired", "tiny", run),
                races - mean("ours", "expired", "tiny", run) > (dir "/misses.csv")
            if (j > 2)
                printf "%s Kb,%s,%.4f,%.4f,%.4f\n", kb[i], name[j], mean("ours", "energy", "tiny", run) - 100,
                    mean("ours", "detector", "tiny", run), mean("ours", "filter", "tiny", run) > (dir "/energy.csv")
        }
        print kb[i] " Kb" line > (dir "/time.csv")
    }
    open_frame("gtsc", "workload", "Ideal,Block,Block_header,G_TSC", "cycles%20over%20base")
    for (i = 1; i <= count; i++)
        printf "%s,%.4f,%.4f,%.4f,%.4f\n", list[i], ours("time", "tiny", "I4", list[i]),
            ours("time", "tiny", "K4", list[i]), ours("time", "tiny", "K4-header", list[i]),
            ours("time", "tiny", "gtsc", list[i]) > (dir "/gtsc.csv")
}

END {
    if (sample) {
        for (i = 1; i <= count; i++) if (("tiny", "K4", list[i]) in ran) print workload_row(list[i])
        exit
    }
    configurations("tiny", "1 2 4 8 16", dir "/configurations.md")
    configurations("small", "1 4", dir "/small.md")
    workloads(dir "/workloads.md")
    claims()
    frames()
}
