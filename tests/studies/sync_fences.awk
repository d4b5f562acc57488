# sync_fences.awk - the second half of sync_claims.awk: which claims hold where a device fence costs more, and where no
# word is looked at by all. Runs are those of reproduce_sync.sh, "PROGRAM+MACHINE": of a
# Volta with that option, or of G-SRB with words of the SMs ("own") beside the other barriers as they are.

function variant(run, of) { return of == "" ? run : run "+" of }
function took(p, of, f, t) { return time(variant(p, of == "own" && f != SENSE ? "" : of), "qv100", f, t) }
function won(p, of, new, old, t,    a, b) {
    a = took(p, of, new, t); b = took(p, of, old, t); return a == "" || b == "" ? "" : 100 * (1 - a / b)
}
function won_by_all(of, old,    p, x, n, sum) {
    for (p = 1; p <= programs; p++) { x = won(program[p], of, SENSE, old, 8); if (x != "") { sum += x; n++ } }
    return n ? sum / n : ""
}
function shown(said, holds) { return holds ? " **" said "** |" : " " said " |" }
function gain(x) { return shown(percent(x), x != "" && x > 1) }
# How often the hybrid is within 3 % of the better one of two.
function near(of,    p, t, x, a, b, n, good) {
    for (p = 1; p <= programs; p++)
        if (program[p] != "pagerank")
            for (t = 4; t <= 8; t += 4) {
                x = took(program[p], of, HYBRID, t)
                if (x == "") continue
                a = took(program[p], of, SENSE, t); b = took(program[p], of, COOPERATIVE, t); n++
                good += x <= 1.03 * (a < b ? a : b)
            }
    return n ? shown(good " of " n, good >= 0.8 * n) : " - |"
}
function by_graph(of,    a, x, y) {
    a = won("social", of, SENSE, COOPERATIVE, 8); x = won("web", of, SENSE, COOPERATIVE, 8)
    y = won("roads", of, SENSE, COOPERATIVE, 8)
    return a == "" ? " - |" : shown(percent(a) ", " percent(x) ", " percent(y), a > 1 && a < x && a < y)
}

function fences(file,    n, of, i, p, line) {
    n = split("|invalidate|trip|turns200|turns400|turns800|own", of, "|")
    table_head("| claim, Volta, T = 8 | theirs | as it is | `l1.fence = invalidate` | 200 cycles, side by side | " \
        "200, in turns | 400, in turns | 800, in turns | words of SMs |", file)
    line = "| B5 G-SRB over cooperative, five programs | " theirs("B5", "G-SRB over cooperative", "qv100") " |"
    for (i = 1; i <= n; i++) line = line gain(won_by_all(of[i], COOPERATIVE))
    print line > file
    line = "| B6 G-SRB over G-CPUSRB, five programs | " theirs("B6", "G-SRB over G-CPUSRB", "qv100") " |"
    for (i = 1; i <= n; i++) line = line gain(won_by_all(of[i], CPU))
    print line > file
    for (p = 1; p <= programs; p++) {
        line = "| " (p < 3 ? "B8" : p == 3 ? "B9" : "B12") " G-SRB over cooperative, " program[p] " | " \
            theirs(p < 3 ? "B8" : p == 3 ? "B9" : "B12", program[p], "NA") " |"
        for (i = 1; i <= n; i++) {
            x = won(program[p], of[i], SENSE, COOPERATIVE, 8)
            line = line (p == 3 ? shown(percent(x), x != "" && x < 5 && x > -5) : gain(x))
        }
        print line > file
    }
    line = "| B14 hybrid, programs but PageRank, T = 4 and 8 (rule: within 3 % at four of five points) | almost " \
        "everywhere |"
    for (i = 1; i <= n; i++) line = line near(of[i])
    print line > file
    line = "| B15 gain by graph, bfs: social, web, roads (rule: all gain, social the least) | social slightly lower |"
    for (i = 1; i <= n; i++) line = line by_graph(of[i])
    print line > file
    close(file)
}
# Barriers of 80 SMs, behind sections and alone.
function words(file,    t, of) {
    table_head("| T | tree | G-SRB | G-SRB, words of SMs | cooperative |", file)
    for (t = 4; t <= 16; t *= 2) {
        of = "qv100"
        print "| " t " | " thousands("micro", of, TREE, t) " / " thousands("bare", of, TREE, t) " | " \
            thousands("micro", of, SENSE, t) " / " thousands("bare", of, SENSE, t) " | " \
            thousands("micro+own", of, SENSE, t) " / " thousands("bare+own", of, SENSE, t) " | " \
            thousands("micro", of, COOPERATIVE, t) " / " thousands("bare", of, COOPERATIVE, t) " |" > file
    }
    close(file)
}
