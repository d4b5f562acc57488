# sttram_claims.awk - the claims of memories of STT-MRAM (Goswami, 2013, chapters 3, 6, 7) from lines "RUN WORKLOAD
# COLUMN VALUE" (tests/studies/reproduce_sttram.sh): rows "| claim | theirs | ours | same direction? |" on standard
# output, frames of figures in `dir`.
# "Same direction" of a change: the same sign, and more than 1 %; of a level: within a factor of 1.5. Means over
# workloads are arithmetic, of changes in percent, as the study's.

{ v[$1, $2, $3] = $4 }

function flips(w) { return 100 * v["width-1", w, "registers_bits_written"] / v["stt", w, "registers_bits_written"] }
function dynamic(run, part, w) { return v[run, w, part "_read"] + v[run, w, part "_write"] }
function writes(run, w) { return 100 * (v[run, w, "registers_write"] / v["sram", w, "registers_write"] - 1) }
function both(run, part, w) {
    return v["sram", w, part "_write"] > 0 ? 100 * (dynamic(run, part, w) / dynamic("sram", part, w) - 1) : 0
}
function leakage(run, part, w) { return 100 * (v[run, w, part "_leakage"] / v["sram", w, part "_leakage"] - 1) }
function whole(run, part, w) { return 100 * (v[run, w, part "_change"] - 1) }
function faster(run, w) { return 100 * (1 / v[run, w, "cycles_change"] - 1) }
function shares(w) { return v["sram", w, "shared_write"] > 0 }
function value(what, run, w) {
    if (what == "writes") return writes(run, w)
    if (what == "registers" || what == "shared" || what == "readonly") return both(run, what, w)
    if (what == "whole shared") return whole(run, "shared", w)
    if (what == "whole readonly") return whole(run, "readonly", w)
    if (what == "leakage registers") return leakage(run, "registers", w)
    if (what == "leakage shared") return leakage(run, "shared", w)
    if (what == "leakage readonly") return leakage(run, "readonly", w)
    if (what == "faster") return faster(run, w)
    if (what == "joules") return 100 * (v[run, w, "joules_change"] - 1)
    if (what == "area") return 100 * (v[run, w, "area_change"] - 1)
    return v[run, w, what]
}
function mean(what, run, only,    i, n, sum) {
    for (i = 1; i in list; i++)
        if (!only || shares(list[i])) { sum += value(what, run, list[i]); n++ }
    return sum / n
}
function signed(x) { return sprintf("%+.*f %%", x < 10 && x > -10 ? 1 : 0, x) }
function each(what, run, names,    n, name, i, text) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") name[i] " " signed(value(what, run, name[i]))
    return text
}
# How many of the names are on one side: sign +1 or -1.
function side(what, run, names, sign,    n, name, i, k) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) k += sign * value(what, run, name[i]) > 1
    return k == n
}
function near(a, b) { return a < 1.5 * b && a > b / 1.5 }

END {
    split(workloads, list, " ")
    for (i = 1; i in list; i++) {
        w = list[i]
        a += flips(w) / length(list)
        if (flips(w) > top) { top = flips(w); top_at = w }
    }
    row("Bits of registers that change, of those written", "20 %", sprintf("%.0f %%", a), near(a, 20))
    row("Most change in NW", "45 %", sprintf("NW %.0f %%; most: %s %.0f %%", flips("NW"), top_at, top), top_at == "NW")
    a = mean("writes", "registers")
    row("Register writes without differential update cost more", "+43 % (MM +81, MT +55, 64H +55 %)",
        signed(a) ", all alike", a > 1)
    a = mean("writes", "width-1"); row("By single bits they cost less", "-44 %", signed(a), a < -1)
    row("Least by single bits: 64H, BFS, NE, PNS, GS", "-82, -82, -85, -93, -92 %",
        each("writes", "width-1", "64H BFS NE PNS GS"), side("writes", "width-1", "64H BFS NE PNS GS", -1))
    row("MM, NW, LU, BP lose", "more than SRAM", each("writes", "width-1", "MM NW LU BP"),
        side("writes", "width-1", "MM NW LU BP", 1))
    a = mean("registers", "width-1"); row("Registers read and written, by single bits", "-46 %", signed(a), a < -1)
    row("The same, MM, NW, LU, BP least", "-11, -21, -17, -22 %", each("registers", "width-1", "MM NW LU BP"),
        mean_of("registers", "width-1", "MM NW LU BP") > mean("registers", "width-1") + 1)
    row("The same, LPS, BFS, GS, NE, PNS, HY most", "-72, -68, -72, -66, -65, -63 %",
        each("registers", "width-1", "LPS BFS GS NE PNS HY"),
        mean_of("registers", "width-1", "LPS BFS GS NE PNS HY") < mean("registers", "width-1") - 1)
    a = mean("writes", "width-1")
    for (k = 2; k <= 8; k *= 2)
        text = text (k > 2 ? ", " : "") sprintf("%.0f %%", 100 * (1 - mean("writes", "width-" k) / a))
    row("Of that arrays of 2, 4, 8 bits lose", "12, 29, 53 % (one reading)", text, mean("writes", "width-2") > a &&
        mean("writes", "width-4") > mean("writes", "width-2") &&
        mean("writes", "width-8") > mean("writes", "width-4") && mean("writes", "width-4") < -1)
    a = mean("leakage registers", "registers"); row("Leakage of the register file", "-32 % or -83 %", signed(a), a < -1)
    a = mean("area", "stt"); row("Area of the register file", "-46 %", signed(a) ", of the three memories", a < -1)
    a = mean("faster", "registers")
    row("Speed with the register file alone", "less than 1 % (BFS -4, NE -3, FWT -3, 64H +4 %)",
        signed(a) " (" each("faster", "registers", "BFS NE FWT 64H") ")", a < 1 && a > -1)
    a = 100 * (mean_ratio("coalesce", "width-1") - 1)
    row("Coalescing saves of register writes", "-9 %", signed(a), a < -1)
    row("And makes MM, 64H, ST3D, BN, CP faster than with SRAM", "+79, +42, +38, +29, +25 %",
        each("faster", "coalesce", "MM 64H ST3D BN CP"), side("faster", "coalesce", "MM 64H ST3D BN CP", 1))
    a = mean("whole shared", "shared", 1); row("Shared memory of STT-MRAM alone, power", "-3 %", signed(a), a < -1)
    row("The same: MM, NW, PNS, LU save", "-41, -46, -48, -45 %", each("shared", "shared", "MM NW PNS LU"),
        side("shared", "shared", "MM NW PNS LU", -1))
    row("The same: LPS, BN, FWT, PR, GS take more", "+8, +4, +53, +140, +48 %",
        each("shared", "shared", "LPS BN FWT PR"), side("shared", "shared", "LPS BN FWT PR", 1))
    a = mean("faster", "shared", 1)
    row("The same, speed", "-5 % (64H -18, BN -16, NQU -27, SLA -18, LPS -9, FWT -8 %)",
        signed(a) " (" each("faster", "shared", "64H BN NQU SLA LPS FWT") ")", a < -1 &&
        side("faster", "shared", "64H BN NQU SLA LPS FWT", -1))
    a = mean("shared", "hybrid", 1) - mean("shared", "shared", 1)
    row("A section of 16 KB takes of shared memory's switching", "-10 %", signed(a), a < -1)
    a = mean("faster", "hybrid", 1) - mean("faster", "shared", 1)
    row("It brings speed back", "BN +40, NQU +42, SLA +30, 64H +40 %",
        signed(a) " (BN " signed(faster("hybrid", "BN") - faster("shared", "BN")) ", NQU " \
        signed(faster("hybrid", "NQU") - faster("shared", "NQU")) ", SLA " \
        signed(faster("hybrid", "SLA") - faster("shared", "SLA")) ", 64H " \
        signed(faster("hybrid", "64H") - faster("shared", "64H")) ")", a > 1)
    row("And BN, NQU, SLA, 64H are faster than with SRAM", "+14, +15, +12, +12 %",
        each("faster", "hybrid", "BN NQU SLA 64H"), side("faster", "hybrid", "BN NQU SLA 64H", 1))
    a = mean("leakage shared", "hybrid", 1); row("Leakage of shared memory with a section", "-82 %", signed(a), a < -1)
    a = mean("whole readonly", "readonly")
    b = mean("leakage readonly", "readonly")
    row("Caches that are only read: power, leakage", "-34 %, -31 %", signed(a) ", " signed(b), a < -1 && b < -1)
    a = mean("joules", "overall")
    b = mean("faster", "overall")
    row("Overall: power, speed", "-22 %, +16 %", signed(a) " energy of these memories, " signed(b) \
        "; with coalescing " signed(mean("joules", "together")) ", " signed(mean("faster", "together")), a < -1 &&
        b > 1 || mean("joules", "together") < -1 && mean("faster", "together") > 1)
    figures()
}
function mean_of(what, run, names,    n, name, i, sum) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) sum += value(what, run, name[i])
    return sum / n
}
function mean_ratio(a, b,    i, n, sum) {
    for (i = 1; i in list; i++) { sum += v[a, list[i], "registers_write"] / v[b, list[i], "registers_write"]; n++ }
    return sum / n
}
function figures(    i, w) {
    open_frame("flips", "workload", "registers", "percent%20of%20bits")
    open_frame("writes", "workload", "width_1,width_2,width_4,width_8,all_bits", "energy%20over%20SRAM")
    open_frame("whole", "workload", "joules,cycles", "over%20SRAM")
    for (i = 1; i in list; i++) {
        w = list[i]
        print w "," flips(w) > (dir "/flips.csv")
        print w "," 1 + writes("width-1", w) / 100 "," 1 + writes("width-2", w) / 100 "," 1 + writes("width-4", w) \
            / 100 "," 1 + writes("width-8", w) / 100 "," 1 + writes("registers", w) / 100 > (dir "/writes.csv")
        print w "," v["overall", w, "joules_change"] "," v["overall", w, "cycles_change"] > (dir "/whole.csv")
    }
}
