# photonic_claims.awk - the claims of the photonic study (Goswami, 2013, chapter 4) from lines "MACHINE WORKLOAD COLUMN
# VALUE" (tests/studies/reproduce_photonic.sh), after the lines of tests/studies/photonic_workloads.txt: rows "| claim |
# theirs | ours | same direction? |" on standard output, other tables and frames of figures in `dir`. "Same direction"
# of a change: the same sign, and more than 1 %; of "no difference": within 3 %; of an order: as it says, by more than 1
# %. A mean over workloads is geometric.

FNR == 1 { file++ }
file == 1 && !/^#/ { list[++count] = $1; theirs[$1] = $2; heavy[$1] = $3 == "y" }
file == 2 { v[$1, $2, $3] = $4 }

function ratio(what, a, b, w) { return v[a, w, what] / v[b, w, what] }
function speed(a, b, w) { return ratio("cycles", b, a, w) }
function watts(run, w) {
    return v[run, w, "watts_network"] + v[run, w, "watts_laser"] + v[run, w, "watts_heating"] \
        + v[run, w, "watts_modulation"] + v[run, w, "watts_arbitration"]
}
function value(what, a, b, w) {
    return what == "speed" ? speed(a, b, w) : what == "watts" ? watts(a, w) / watts(b, w) : ratio(what, a, b, w)
}
# Over workloads that are memory intensive (which = 1), that are not (0), over all of them (2).
function mean(what, a, b, which,    i, n, sum) {
    for (i = 1; i <= count; i++)
        if (which == 2 || which == heavy[list[i]]) { sum += log(value(what, a, b, list[i])); n++ }
    return exp(sum / n)
}
# Changes are in percent.
function change(x) { return 100 * (x - 1) }
function signed(x) { return sprintf("%+.*f %%", x < 10 && x > -10 ? 1 : 0, x) }
function range(a, b,    low, high) { low = a < b ? a : b; high = a < b ? b : a; return signed(low) " to " signed(high) }
function fell(x) { return x < -1 }
function rose(x) { return x > 1 }
function same(x) { return x < 3 && x > -3 }

# Of a kind of network, widths 16 and 64.
function cut(claim, theirs, what, kind,    narrow, wide) {
    narrow = change(mean(what, kind "-16", "mesh", 2)); wide = change(mean(what, kind "-64", "mesh", 2))
    row(claim, theirs, range(narrow, wide), fell(narrow) && fell(wide))
}
function list_of(what, a, b, names,    n, name, i, text) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") name[i] " " signed(change(value(what, a, b, name[i])))
    return text
}
function all_rose(what, a, b, names,    n, name, i) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) if (!rose(change(value(what, a, b, name[i])))) return 0
    return 1
}
function frame(name, what, base, columns,    n, column, i, j, line) {
    open_frame(name, "workload", columns, base == "" ? "W" : (what ~ /latency/ ? "latency" : what) "%20over%20" \
        (base ~ /^gddr/ ? toupper(base) : base))
    n = split(columns, column, ",")
    for (i = 1; i <= count; i++) {
        line = list[i]
        for (j = 1; j <= n; j++)
            line = line "," (base == "" ? watts(column[j], list[i]) : value(what, column[j], base, list[i]))
        print line > (dir "/" name ".csv")
    }
    if (base == "") return
    line = "mean"
    for (j = 1; j <= n; j++) line = line "," mean(what, column[j], base, 2)
    print line > (dir "/" name ".csv")
}

END {
    north = "noc_request_latency"; south = "noc_reply_latency"
    if (sample) {
        for (i = 1; i <= count; i++) if (("mesh", list[i], "cycles") in v) workload_row(list[i], "/dev/stdout")
        exit
    }
    kinds["swmr"] = "SWMR"; kinds["mwsr"] = "MWSR"; kinds["held"] = "MWSR, 16 packets a token"

    cut("Latency from cores to memory, SWMR, 16 to 64 bytes", "-81 to -90 %", north, "swmr")
    cut("Latency from cores to memory, MWSR, 16 to 64 bytes", "-59 to -66 %", north, "mwsr")
    cut("Latency from memory to cores, SWMR, 16 to 64 bytes", "-52 to -94 %", south, "swmr")
    cut("Latency from memory to cores, MWSR, 16 to 64 bytes", "-49 to -95 %", south, "mwsr")
    a = change(mean(north, "mwsr-32", "mesh", 2)); b = change(mean(south, "mwsr-32", "mesh", 2))
    row("Both, MWSR of 32 bytes", "-59 %, -87 %", signed(a) ", " signed(b), fell(a) && fell(b))
    split("BFS MM DG 64H RAY", five, " ")
    for (i = 1; i in five; i++) { sum += log(value(south, "swmr-32", "mesh", five[i])) / 5; named[five[i]] = 1 }
    for (i = 1; i <= count; i++)
        if (!(list[i] in named)) rest += log(value(south, "swmr-32", "mesh", list[i])) / (count - 5)
    row("From memory to cores light helps BFS, MM, DG, 64H, RAY most", "-90, -87, -77, -75, -72 %",
        list_of(south, "swmr-32", "mesh", "BFS MM DG 64H RAY") "; others " signed(change(exp(rest))) " (SWMR, 32)",
        sum < rest)
    a = mean(north, "swmr-32", "mesh", 2); b = mean(north, "mwsr-32", "mesh", 2)
    row("Latency from cores to memory: SWMR below MWSR below the mesh", "order", sprintf("%.2f, %.2f, 1", a, b),
        a < 0.99 * b && b < 0.99)
    a = change(mean(south, "swmr-64", "swmr-16", 2)); b = change(mean(south, "mwsr-64", "mwsr-16", 2))
    row("Wider channels shorten answers, 64 bytes for 16", "shorter", "SWMR " signed(a) ", MWSR " signed(b), fell(a) &&
        fell(b))
    n = split("BFS SRAD AES PF 64H HY MM", seven, " "); longer = single = 0
    for (i = 1; i <= n; i++) {
        longer += rose(change(value(north, "mwsr-64", "mwsr-16", seven[i])))
        single += rose(change(value(north, "swmr-64", "swmr-16", seven[i])))
    }
    row("Wider channels do not shorten requests of BFS, SRAD, AES, PF, 64H, HY, MM", "longer, in both",
        sprintf("longer with MWSR in %d, with SWMR in %d of %d; MWSR %s", longer, single, n,
        list_of(north, "mwsr-64", "mwsr-16", "BFS SRAD AES PF 64H HY MM")), longer == n && single == n)

    for (i = 16; i <= 64; i *= 2) {
        s[i] = change(mean("speed", "swmr-" i, "mesh", 2))
        m[i] = change(mean("speed", "mwsr-" i, "mesh", 2))
        h[i] = change(mean("speed", "held-" i, "mesh", 2))
    }
    row("Speed, SWMR of 16, 32, 64 bytes", "-0.04, +3, +5 %", signed(s[16]) ", " signed(s[32]) ", " signed(s[64]),
        same(s[16]) && rose(s[32]) && rose(s[64]))
    row("Speed, MWSR of 32 bytes", "+1 %, or almost +4 %", signed(m[32]), rose(m[32]))
    row("Wider channels are faster", "yes", "SWMR " signed(s[64] - s[16]) ", MWSR " signed(m[64] - m[16]),
        rose(s[64] - s[16]) && rose(m[64] - m[16]))
    a = change(most("swmr-64", "mesh"))
    row("Most of all BFS, with 64 bytes", "+17 %", "BFS " signed(change(speed("swmr-64", "mesh", "BFS"))) "; most: " \
        most_at " " signed(a), most_at == "BFS")
    a = change(mean("speed", "swmr-32", "mesh", 1)); b = change(mean("speed", "swmr-32", "mesh", 0))
    row("What is memory intensive gains more", "more", signed(a) " for " signed(b) " (SWMR, 32)", rose(a - b))

    a = change(mean("watts", "swmr-32", "mesh", 2))
    b = change(mean("watts", "mwsr-32", "mesh", 2))
    c = change(mean("watts", "mwsr-16", "mesh", 2))
    row("Watts of the network, SWMR", "-87 %", signed(a) " (32 bytes)", fell(a))
    row("Watts of the network, MWSR", "-98 %", signed(c) " (16 bytes)", fell(c))
    row("Watts of the network, MWSR of 32 bytes", "-96 %", signed(b), fell(b))
    row("Watts of the network, BFS, MWSR of 32 bytes", "-89 %, the most",
        signed(change(value("watts", "mwsr-32", "mesh", "BFS"))),
        fell(change(value("watts", "mwsr-32", "mesh", "BFS"))))
    row("Watts of the network: MWSR below SWMR far below the mesh", "order",
        sprintf("%.2f, %.2f, 1", 1 + b / 100, 1 + a / 100), b < a && a < -50)
    a = v["mwsr-32", "BFS", "watts_laser"] / 2
    row("An MWSR crossbar takes so much light whatever it carries, a direction", "0.33 W",
        sprintf("%.2f W, heat for rings %.2f W", a, v["mwsr-32", "BFS", "watts_heating"] / 2), a > 0.165 && a < 0.66)

    row("Memory in sub-channels, one scheduler, against GDDR3 of 1.6 Gb/s: BFS, MM, LPS, RAY, SS",
        "+26, +13, +32, +48, +12 %", list_of("speed", "sa", "gddr3", "BFS MM LPS RAY SS"),
        all_rose("speed", "sa", "gddr3", "BFS MM LPS RAY SS"))
    a = change(mean("speed", "sa", "gddr3", 2))
    b = change(mean("speed", "sa", "gddr3", 1))
    c = change(most("sa", "gddr3"))
    row("The same, all workloads; memory intensive ones; most", "+9 %; +13 %; +48 %",
        signed(a) "; " signed(b) "; " most_at " " signed(c), rose(a) && rose(b))
    a = change(mean("speed", "sa", "gddr5", 2))
    row("The same against GDDR5 of 3.6 Gb/s, all workloads", "+2 %", signed(a), rose(a))
    a = change(mean("speed", "ca", "sa", 2)); b = change(mean("speed", "ca", "sa", 1))
    row("A scheduler for each sub-channel: no different where memory is used much, else by 3 %", "3 %, about 0",
        signed(a) ", memory intensive " signed(b), same(a) && same(b))
    a = change(mean("speed", "sa-ias", "sa", 2)); b = change(mean("speed", "ca-ias", "ca", 2))
    row("The warp scheduler adds to sub-channels", "+3 %", signed(a) ", a scheduler each " signed(b), rose(a))
    a = change(mean("speed", "together", "mesh-gddr3", 1)); b = change(mean("watts", "together", "mesh-gddr3", 2))
    row("Everything together, memory intensive: faster, with less power for the network", "+13 %, -96 %",
        signed(a) ", " signed(b), rose(a) && fell(b))

    base = "eight"; x = "eight-ias"
    row("Scheduler, eight cores: BFS faster, fewer stalls", "+9.7 %, stalls -86 %", stalls("BFS"),
        rose(change(speed(x, base, "BFS"))))
    row("Scheduler, eight cores: HS faster, fewer stalls", "+6.1 %, stalls -95 %", stalls("HS"),
        rose(change(speed(x, base, "HS"))))
    row("Scheduler, eight cores: NE, AES, SRAD gain", "gain", list_of("speed", x, base, "NE AES SRAD"),
        all_rose("speed", x, base, "NE AES SRAD"))
    a = change(speed("eight-always", base, "PF")); b = change(speed(x, base, "PF"))
    row("Scheduler, eight cores: PF loses unless it adapts", "loses", signed(a) ", adaptive " signed(b), fell(a) &&
        b > a)
    row("Scheduler, 64 cores: MM, AES, FWT, RAY gain", "gain", list_of("speed", "ias", "mesh", "MM AES FWT RAY"),
        all_rose("speed", "ias", "mesh", "MM AES FWT RAY"))
    split("1 4 16 32 64 128 256", stride, " ")
    print "# warpscape frame 1\n# column stride unit=misses\n# column all unit=percent%20of%20speed\n# column " \
        "memory_intensive unit=percent%20of%20speed\n# labels: 0\nstride,all,memory_intensive" > (dir "/strides.csv")
    for (i = 1; i in stride; i++) {
        run = stride[i] == 128 ? "eight-always" : "eight-" stride[i]
        of[stride[i]] = mean("speed", run, base, 2)
        print stride[i] "," change(of[stride[i]]) "," change(mean("speed", run, base, 1)) > (dir "/strides.csv")
        if (of[stride[i]] > top) { top = of[stride[i]]; top_at = stride[i] }
    }
    row("Scheduler: of strides from 1 to 256 the best is 128", "128",
        sprintf("%d (%s; 128 %s; 1 %s)", top_at, signed(change(top)), signed(change(of[128])), signed(change(of[1]))),
        top_at == 128)

    frame("requests", north, "mesh", "swmr-16,swmr-32,swmr-64,mwsr-16,mwsr-32,mwsr-64,held-32")
    frame("replies", south, "mesh", "swmr-16,swmr-32,swmr-64,mwsr-16,mwsr-32,mwsr-64,held-32")
    frame("speed", "speed", "mesh", "swmr-16,swmr-32,swmr-64,mwsr-16,mwsr-32,mwsr-64,held-32")
    frame("power", "watts", "", "mesh,swmr-16,swmr-32,swmr-64,mwsr-16,mwsr-32,mwsr-64")
    frame("memory", "speed", "gddr3", "gddr5,sa,ca,sa-ias,ca-ias")
    open_frame("together", "workload", "together,swmr-32,mwsr-32", "speed%20over%20mesh")
    for (i = 1; i <= count; i++)
        print list[i] "," speed("together", "mesh-gddr3", list[i]) "," speed("swmr-32", "mesh", list[i]) "," \
            speed("mwsr-32", "mesh", list[i]) > (dir "/together.csv")
    open_frame("ias", "workload", "eight-ias,eight-always,ias,ias-always", "percent%20of%20speed")
    for (i = 1; i <= count; i++)
        print list[i] "," change(speed("eight-ias", base, list[i])) "," change(speed("eight-always", base, list[i])) \
            "," change(speed("ias", "mesh", list[i])) "," \
            change(speed("ias-always", "mesh", list[i])) > (dir "/ias.csv")
    tables()
}

function most(a, b,    i, top) {
    for (i = 1; i <= count; i++)
        if (speed(a, b, list[i]) > top) { top = speed(a, b, list[i]); most_at = list[i] }
    return top
}

function stalls(w,    a, b) {
    a = v["eight-ias", w, "stall_memory"] / v["eight-ias", w, "issue_slots"] * v["eight-ias", w, "warp_instructions"]
    b = v["eight", w, "stall_memory"] / v["eight", w, "issue_slots"] * v["eight", w, "warp_instructions"]
    return signed(change(speed("eight-ias", "eight", w))) ", stalls " \
        (b > 0 ? signed(change(a / b)) : "none to begin with")
}

function workload_row(w, file,    mb) {
    mb = (v["mesh", w, "noc_request_bytes"] + v["mesh", w, "noc_reply_bytes"]) / 1e6
    printf "| %s%s | %s | %.2f | %.2f | %.0f | %.0f, %.0f, %.0f, %.0f | %.0f, %.0f, %.0f, %.0f | %.2f, %.2f, %.2f | " \
        "%.1f, %.1f, %.1f |\n", w, heavy[w] ? "*" : "", theirs[w], mb, mb / theirs[w], v["mesh", w, "cycles"] / 2000,
        v["mesh", w, north], v["swmr-32", w, north], v["mwsr-32", w, north], v["held-32", w, north],
        v["mesh", w, south], v["swmr-32", w, south], v["mwsr-32", w, south], v["held-32", w, south],
        speed("swmr-32", "mesh", w), speed("mwsr-32", "mesh", w), speed("held-32", "mesh", w), watts("mesh", w),
            watts("swmr-32", w), watts("mwsr-32", w) > file
}

function tables(    i, w, file, kind) {
    file = dir "/traffic.md"
    table_head("| workload | their 10^6 bytes | ours | ratio | us on the mesh | requests: mesh, SWMR, MWSR, MWSR " \
        "held | answers: the same | speed: SWMR, MWSR, MWSR held | watts: mesh, SWMR, MWSR |", file)
    for (i = 1; i <= count; i++) workload_row(list[i], file)
    file = dir "/memory.md"
    table_head("| workload | used of GDDR3 | speed: GDDR5, one scheduler, one each | 512 KB of L2: used of GDDR3 | " \
        "speed: the same |", file)
    for (i = 1; i <= count; i++) {
        w = list[i]
        printf "| %s%s | %.1f %% | %.2f, %.2f, %.2f | %.1f %% | %.2f, %.2f, %.2f |\n", w, heavy[w] ? "*" : "",
            100 * v["gddr3", w, "dram_utilisation"], speed("gddr5", "gddr3", w), speed("sa", "gddr3", w),
            speed("ca", "gddr3", w),
            100 * v["small-gddr3", w, "dram_utilisation"], speed("small-gddr5", "small-gddr3", w),
                speed("small-sa", "small-gddr3", w), speed("small-ca", "small-gddr3", w) > file
    }
    printf "| mean | | %.2f, %.2f, %.2f | | %.2f, %.2f, %.2f |\n", mean("speed", "gddr5", "gddr3", 2),
        mean("speed", "sa", "gddr3", 2), mean("speed", "ca", "gddr3", 2),
        mean("speed", "small-gddr5", "small-gddr3", 2),
        mean("speed", "small-sa", "small-gddr3", 2), mean("speed", "small-ca", "small-gddr3", 2) > file
    file = dir "/latency.md"
    table_head("| | bytes | requests | answers | speed | speed, memory intensive | watts |", file)
    split("swmr mwsr held", kind, " ")
    for (i = 1; i in kind; i++)
        for (w = 16; w <= 64; w *= 2)
            printf "| %s | %d | %s | %s | %s | %s | %s |\n", kinds[kind[i]], w,
                signed(change(mean(north, kind[i] "-" w, "mesh", 2))),
                signed(change(mean(south, kind[i] "-" w, "mesh", 2))),
                signed(change(mean("speed", kind[i] "-" w, "mesh", 2))),
                    signed(change(mean("speed", kind[i] "-" w, "mesh", 1))),
                    signed(change(mean("watts", kind[i] "-" w, "mesh", 2))) > file
}
