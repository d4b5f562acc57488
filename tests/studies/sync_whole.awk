# sync_whole.awk - the third part of sync_claims.awk: the hybrid by its threshold, searches by graph, and a machine with
# all SMs of the study's. Runs are those of reproduce_sync.sh, "PROGRAM+VARIANT": `whole` has 80 SMs, `turnsN` device
# fences of N cycles one after the other, `short` and `none` a longest wait of 63 turns and none of who backs off;
# `alone` is 20 barriers with nothing between them.

# ------------------------------------------------------------------------------------------------ the hybrid

# At how many points is what a threshold chooses of two barriers within 3 % of the better one? below: 0: as the hybrid
# ran.
function chosen(of, below,    n, run, p, i, t, a, b, x) {
    points = good = 0
    n = split("reduce scan bfs sssp", run, " ")
    for (p = 1; p <= n; p++) for (i = 1; i <= steps; i++) {
        t = step[i]
        a = took(run[p], of, SENSE, t)
        b = took(run[p], of, COOPERATIVE, t)
        x = took(run[p], of, HYBRID, t)
        if (a == "" || b == "" || x == "") continue
        if (below) x = t < below ? b : a
        points++; good += x <= 1.03 * (a < b ? a : b)
    }
    return points ? shown(good " of " points, good >= 0.8 * points) : " - |"
}
# By program the fewest blocks of an SM with which G-SRB is ahead.
function crossing(of,    n, run, p, i, x, line, t) {
    n = split("reduce scan bfs sssp", run, " ")
    for (p = 1; p <= n; p++) {
        t = "none"
        for (i = steps; i >= 1; i--) {
            x = won(run[p], of, SENSE, COOPERATIVE, step[i])
            if (x != "" && x > 0) t = step[i]
        }
        line = line (p > 1 ? ", " : "") t
    }
    return line
}
function hybrid(file,    n, of, called, i) {
    n = split("|turns400|turns800|whole|whole+turns400", of, "|")
    split("20 SMs;20 SMs, fences of 400 in turns;20 SMs, fences of 800 in turns;80 SMs;80 SMs, fences of 400 in turns",
        called, ";")
    table_head("| machine | G-SRB is ahead from T: reduce, scan, bfs, sssp | the hybrid as it ran | what it " \
        "chooses: threshold 8 | 4 | 16 | always cooperative | always G-SRB |", file)
    for (i = 1; i <= n; i++)
        print "| " called[i] " | " crossing(of[i]) " |" \
            chosen(of[i], 0) chosen(of[i], 8) chosen(of[i], 4) chosen(of[i], 16) chosen(of[i], 64) chosen(of[i],
            1) > file
    close(file)
}

# ------------------------------------------------------------------------------------------------ the whole machine

function busiest(run, of, f, t,    c) {
    run = variant(run, of); c = v[run, "qv100", f, t, "cycles"]
    return c > 0 ? sprintf("%.2f", v[run, "qv100", f, t, "noc_request_load_max"] / c) : "-"
}
function whole(file,    n, run, p, id) {
    n = split("reduce scan bfs sssp", run, " "); split("B8 B8 B12 B12", id, " ")
    table_head("| claim, Volta | theirs, T >= 8 | 20 SMs, T = 8 | 80 SMs, T = 4 | 80, 8 | 80, 16 | busiest slice, a " \
        "cycle: 20 SMs, T = 8 | 80, 8 | 80, 16 |", file)
    for (p = 1; p <= n; p++)
        print "| " id[p] " G-SRB over cooperative, " run[p] " | " theirs(id[p], run[p], "NA") " |" \
            gain(won(run[p], "", SENSE, COOPERATIVE, 8)) gain(won(run[p], "whole", SENSE, COOPERATIVE,
            4)) gain(won(run[p], "whole", SENSE, COOPERATIVE, 8)) gain(won(run[p], "whole", SENSE, COOPERATIVE, 16)) \
            " " slices(run[p], "", 8) " | " slices(run[p], "whole", 8) " | " slices(run[p], "whole", 16) " |" > file
    close(file)
}
function slices(run, of, t) { return busiest(run, of, COOPERATIVE, t) ", " busiest(run, of, SENSE, t) }

# ------------------------------------------------------------------------------------------------ searches by graph

function against(run, of, base,    a, b) {
    a = time(variant(run, of), "qv100", SENSE, 8); b = time(variant(run, base), "qv100", COOPERATIVE, 8)
    return a == "" || b == "" ? "" : 100 * (1 - a / b)
}
# The cooperative barrier has an atomic of each block in each step; blocks are those of 20 SMs.
function steps_of(run) { return v[run, "qv100", COOPERATIVE, 8, "atomics_device"] / (20 * 8) }
function alone(of, f) { return time(variant("alone", of), "qv100", f, 8) / 20 }
# Saved if its barriers took as long as alone, or no time.
function could(run, of, f,    a) {
    a = time(variant(run, of), "qv100", COOPERATIVE, 8)
    return a == "" ? "" : 100 * steps_of(run) * (alone(of, COOPERATIVE) - (f ? alone(of, f) : 0)) / a
}
function graph_row(g) {
    return "| " g " | " steps_of(g) " | " thousands(g, "qv100", COOPERATIVE, 8) " | " percent(could(g, "", 0)) " | " \
        percent(could(g, "", SENSE)) " |" gain(against(g, "", "")) gain(against(g, "short", "")) gain(against(g, "none",
        "")) " " percent(could(g, "turns800", 0)) " |" gain(against(g, "turns800", "turns800")) gain(against(g,
        "turns800+none", "turns800"))
}
function graphs(file, file_whole,    n, g, i) {
    n = split("social web roads", g, " ")
    table_head("| 20 SMs | steps | thousand cycles | any barrier could save | as alone | G-SRB saves | waits up to " \
        "63 | no waits | fences of 800: any could save | G-SRB saves | no waits |", file)
    for (i = 1; i <= n; i++) print graph_row(g[i]) > file
    close(file)
    table_head("| 80 SMs | thousand cycles | G-SRB saves | no waits | fences of 400 in turns | busiest slice, a " \
        "cycle: cooperative, G-SRB | on 20 SMs |", file_whole)
    for (i = 1; i <= n; i++)
        print "| " g[i] " | " thousands(g[i] "+whole", "qv100", COOPERATIVE, 8) " |" \
            gain(against(g[i], "whole", "whole")) gain(against(g[i], "whole+none", "whole")) gain(against(g[i],
            "whole+turns400", "whole+turns400")) " " slices(g[i], "whole", 8) " | " slices(g[i], "", 8) " |" \
            > file_whole
    close(file_whole)
}
