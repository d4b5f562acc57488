# atomics_claims.awk - local atomic buffers (Dalmia, 2023, chapter 3) from the table of workloads, what the thesis
# prints, energies of accesses and lines "RUN NAME COLUMN VALUE" (tests/studies/reproduce_atomics.sh): in `dir` the
# claims, "| claim | theirs | ours | same direction? |", the tables of configurations and of workloads, and frames of
# figures. A column of a workload is the sum over its kernels' launches. Means are arithmetic, over ratios to the
# baseline. "Same direction" is what stands in brackets, or the same sign by more than 1 %.
# variables: dir; sample (rows of workloads alone, to standard output); only (the tables of atomics_reasons.awk alone);
# error (largest error of a sum of floats)

FILENAME == "tests/studies/atomics_workloads.txt" {
    if (/^#/ || !NF) next
    list[++count] = $1; theirs_name[$1] = $6
    m = split($5, cell, ","); for (i = 1; i <= m; i++) in_group[$1, cell[i]] = 1
    next
}
FILENAME ~ /[.]ini$/ {
    sub(/[ \t]*[;#].*/, "")
    if (/^\[/) { section = substr($0, 2, index($0, "]") - 2); next }
    if (split($0, cell, " *= *") == 2) pj[section, cell[1]] = cell[2] + 0
    next
}
FILENAME ~ /[.]csv$/ {
    if (/^#/ || /^claim,/) next
    split($0, cell, ",")
    printed[cell[1], cell[2], cell[3]] = cell[4]; at_most[cell[1], cell[2], cell[3]] = cell[5]
    next
}
{ v[$1, $2, $3] = $4; ran[$1, $2] = 1 }

# ------------------------------------------------------------------------------ a number of ours: "" when there is none

function get(run, w, what) { return v[run, w, what] + 0 }
function lines_of(run) {
    sub(/^wide-/, "", run); sub(/^lab/, "", run)
    if (run == "held") run = 64
    return run == "inf" ? "inf" : run == 252 ? 256 : run + 0
}
# Of a buffer's line, read or written; there is no row for 32 lines but the straight line.
function of_buffer(run, how,    n) {
    n = lines_of(run)
    return ("buffer", how "_" n) in pj ? pj["buffer", how "_" n] : pj["linear", how] * n / 16
}
# Accesses times what the study has for one: no leakage. A message and its answer are one, a load of a line is a read of
# L2.
function joules(run, w,    e, kept) {
    e = printed["energy", "operation", "one"] * get(run, w, "thread_instructions") + pj["l1", "read"] \
        * (get(run, w, "l1_loads") + get(run, w, "shared_passes")) + pj["l1", "write"] * get(run, w, "l1_stores")
    e += pj["network", "message"] * (get(run, w, "msg_READ") + get(run, w, "msg_WRITE") + get(run, w, "msg_ATOMIC") \
        + get(run, w, "msg_OWN") + get(run, w, "msg_INVALIDATE") + get(run, w, "msg_PUT"))
    e += pj["l2", "read"] * (get(run, w, "msg_READ") + get(run, w, "msg_ATOMIC") + get(run, w, "msg_OWN"))
    e += pj["l2", "write"] * (get(run, w, "msg_WRITE") + get(run, w, "msg_ATOMIC") + get(run, w, "msg_DATA") \
        + get(run, w, "msg_PUT"))
    e += pj["memory", "access"] * (get(run, w, "msg_DRAM_READ") + get(run, w, "msg_DRAM_WRITE"))
    if (run ~ /owned/) return e + get(run, w, "owned_hits") * (pj["l1", "read"] + pj["l1", "write"])
    kept = run ~ /phi/ ? "l1" : "buffer"
    if (run !~ /phi|lab|inf|held/ || lines_of(run) == "0") return e
    return e + get(run, w, "update_hits") * (kept == "l1" ? pj["l1", "read"] + pj["l1", "write"] \
        : of_buffer(run, "read") + of_buffer(run, "write")) \
        + get(run, w, "update_misses") * (kept == "l1" ? pj["l1", "write"] : of_buffer(run, "write")) \
            + get(run, w, "update_messages") * (kept == "l1" ? pj["l1", "read"] : of_buffer(run, "read"))
}
function bytes(run, w) { return get(run, w, "noc_request_bytes") + get(run, w, "noc_reply_bytes") }
function per(a, b) { return b > 0 ? a / b : "" }
function base_of(run,    at) {
    at = index(run, "+")
    return run ~ /^wide-/ ? "wide-base" : run ~ /^(base|phi0)[+](fetch|back|lazy)$/ ? "base+small" : "base" \
        (at ? substr(run, at) : "")
}
function ours(what, run, w,    base) {
    base = base_of(run)
    if (!((run, w) in ran) || !((base, w) in ran)) return ""
    if (what == "time") return per(get(run, w, "cycles"), get(base, w, "cycles"))
    if (what == "traffic") return per(bytes(run, w), bytes(base, w))
    if (what == "energy") return per(joules(run, w), joules(base, w))
    if (what == "rate") return per(1000 * get(run, w, "msg_ATOMIC"), get(run, w, "cycles"))
    if (what == "chip") return per(get(run, w, "joules"), get(base, w, "joules"))
    if (what == "hits")
        return per(100 * get(run, w, "update_hits"), get(run, w, "update_hits") + get(run, w, "update_misses"))
    if (what == "share") return (run, w, "share") in v ? 100 * v[run, w, "share"] : ""
    return 100 * (1 - get("held", w, "cycles") / get("lab64", w, "cycles")) # burst
}
function in_any(groups, w,    n, g, i) {
    n = split(groups, g, ",")
    for (i = 1; i <= n; i++) if ((w, g[i]) in in_group) return 1
    return 0
}
# Over workloads of these groups but those that are named.
function mean(what, run, groups, but,    i, x, n, sum) {
    for (i = 1; i <= count; i++)
        if (in_any(groups, list[i]) && index(" " but " ", " " list[i] " ") == 0) {
            x = ours(what, run, list[i])
            if (x != "") { sum += x; n++ }
        }
    return n ? sum / n : ""
}
function mean_of(what, run, names,    n, name, i, x, sum) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) { x = ours(what, run, name[i]); if (x == "") return ""; sum += x }
    return sum / n
}
# One run over another, workload by workload.
function mean_over(what, a, b,    i, n, sum) {
    for (i = 1; i <= count; i++)
        if (in_any("main", list[i])) { sum += ours(what, a, list[i]) / ours(what, b, list[i]); n++ }
    return sum / n
}
function sized(what, names,    n, run, i, sum) {
    n = split("lab8 lab16 lab32 lab64 lab128", run, " ")
    for (i = 1; i <= n; i++) sum += names == "" ? mean(what, run[i], "main") : mean_of(what, run[i], names)
    return sum / n
}
function least(what, names, inf,    n, run, i, x, low) {
    n = split("lab8 lab16 lab32 lab64 lab128" (inf ? " inf" : ""), run, " ")
    for (i = 1; i <= n; i++) {
        x = mean_of(what, run[i], names)
        if (low == "" || x < low) { low = x; least_at = run[i] }
    }
    return low
}
function serialization(run, w,    all) {
    all = get("base", w, "cycles") - get(run, w, "cycles")
    return all > 0.01 * get("base", w, "cycles") ? 100 * (get("base", w, "cycles") - get("serialize", w, "cycles")) \
        / all : ""
}

# ------------------------------------------------------------------------------------------------ tables

function text_of(x, format) { return x == "" ? "-" : sprintf(format, x) }
function signed(x) { return x == "" ? "-" : sprintf("%+.1f %%", 100 * (x - 1)) }
function configuration(file, run, text) {
    printf "| %s | %s | %s | %s | %s | %s |\n", text, text_of(mean("time", run, "main"), "%.3f"),
        text_of(mean("traffic", run, "main"), "%.3f"), text_of(mean("energy", run, "main"), "%.3f"),
        text_of(mean("chip", run, "main"), "%.3f"), text_of(mean("hits", run, "main"), "%.0f") > file
}
function configurations(file,    n, run, i) {
    table_head("| | time | bytes on the networks | energy by accesses | energy of the chip | hits, % |", file)
    n = split("serialize lab8 lab16 lab32 lab64 lab128 lab252 inf held owned phi0 phi1 l1-24 l1-40 l1-64 wide-lab64 " \
        "wide-l1-24", run, " ")
    for (i = 1; i <= n; i++) configuration(file, run[i], "`" run[i] "`")
    close(file)
}
function workload_row(w,    i, n, run, text) {
    text = "| " w ", " theirs_name[w] " | " text_of(ours("share", "base", w), "%.0f") " | " \
        text_of(ours("rate", "base", w), "%.0f")
    n = split("serialize lab8 lab64 inf phi0 owned", run, " ")
    for (i = 1; i <= n; i++) text = text " | " text_of(ours("time", run[i], w), "%.2f")
    text = text " | " text_of(ours("traffic", "lab64", w), "%.2f") ", " text_of(ours("traffic", "inf", w), "%.2f") \
        " | " text_of(ours("energy", "lab64", w), "%.2f") ", " text_of(ours("energy", "inf", w), "%.2f")
    return text " | " text_of(ours("hits", "lab8", w), "%.0f") ", " text_of(ours("hits", "lab64", w), "%.0f") ", " \
        text_of(ours("hits", "inf", w), "%.0f") " |"
}
function workloads(file,    i) {
    table_head("| | updates, % | atomics at L2 in 1000 cycles | `serialize` | `lab8` | `lab64` | `inf` | `phi0` | " \
        "`owned` | bytes: `lab64`, `inf` | energy: `lab64`, `inf` | hits, %: `lab8`, `lab64`, `inf` |", file)
    for (i = 1; i <= count; i++) if (in_any("main,bins,sorts,forms", list[i])) print workload_row(list[i]) > file
    close(file)
}
function wide_table(file,    i, j, n, run, text) {
    table_head("| | `wide-lab64` | `wide-l1-24` |", file)
    n = split("wide-lab64 wide-l1-24", run, " ")
    for (i = 1; i <= count; i++) if (in_any("main", list[i])) {
        text = "| " list[i]
        for (j = 1; j <= n; j++) text = text " | " text_of(ours("time", run[j], list[i]), "%.2f")
        print text " |" > file
    }
    close(file)
}
function gpgpu_table(file,    i, j, n, run, text) {
    table_head("| | `lab0` | `phi0` | `owned` |", file)
    n = split("lab0 phi0 owned", run, " ")
    for (i = 1; i <= count; i++) if (in_any("gpgpu", list[i])) {
        text = "| " list[i] ", " theirs_name[list[i]]
        for (j = 1; j <= n; j++) text = text " | " text_of(ours("time", run[j], list[i]), "%.3f")
        print text " |" > file
    }
    close(file)
}

# ------------------------------------------------------------------------------------------------ claims

BEGIN { rows_to = dir "/claims.md" }
function untested(claim, thesis, why) {
    printf "| %s | %s | - | not tested: %s |\n", claim, thesis, why > (dir "/claims.md")
}
function percent(x) { return sprintf("%+g %%", x) }
function theirs(claim, what, of, most) {
    most = most ? at_most[claim, what, of] : printed[claim, what, of]; return percent(most)
}
# A change of ours beside theirs: the same sign, by more than 1 %.
function change(claim, text, what, of, x, most,    t) {
    t = most ? at_most[claim, what, of] : printed[claim, what, of]
    row(claim ": " text, percent(t), signed(x), t < 0 ? x < 0.99 : x > 1.01)
}
function largest(runs, groups,    n, run, i, j, x, top) {
    n = split(runs, run, " ")
    for (j = 1; j <= n; j++)
        for (i = 1; i <= count; i++)
            if (in_any(groups, list[i])) {
                x = ours("time", run[j], list[i]) - 1; x = x < 0 ? -x : x
                if (x >= top) { top = x; largest_at = list[i] " " run[j] }
            }
    return top
}
# Times of run `a` over those of `b`; sets `how_many` of them lie between `low` and `high`.
function those(a, b, names, low, high,    n, name, i, q, text) {
    how_many = 0; n = split(names, name, " ")
    for (i = 1; i <= n; i++) {
        q = ours("time", a, name[i]) / ours("time", b, name[i])
        if (q > low && q < high) how_many++
        text = text (i > 1 ? ", " : "") name[i] " " sprintf("%.2f", q)
    }
    return text
}
function gain(w) { return 1 - ours("time", "lab64", w) }
function shares_of(w, steps_of,    n, s, i, text) {
    n = split(steps_of, s, " ")
    for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") sprintf("%+.0f", -100 * gain(w "_" s[i]))
    return w " " text
}
function rank_of(    i, j, n, name, sum, ra, rb) # Spearman's, of shares of updates
{
    n = split("PR CCA MIS CLR SSSP BC", name, " ")
    for (i = 1; i <= n; i++) {
        ra[i] = rb[i] = 1
        for (j = 1; j <= n; j++) {
            ra[i] += printed["L2", "share", name[j]] < printed["L2", "share", name[i]]
            rb[i] += ours("share", "base", name[j]) < ours("share", "base", name[i])
        }
    }
    for (i = 1; i <= n; i++) sum += (ra[i] - rb[i]) ^ 2
    return 1 - 6 * sum / (n * (n * n - 1))
}
function claims(    a, b, c, d, all) {
    a = sized("time"); b = sized("energy"); c = sized("traffic")
    change("L1", "time, mean of 8 to 128 lines and all workloads", "time", "buffers but the infinite one", a)
    change("L1", "energy", "energy", "buffers but the infinite one", b)
    change("L1", "bytes on the networks", "traffic", "buffers but the infinite one", c)
    a = mean("share", "base", "main")
    row("L2: updates, of global accesses by lines (rule: 15 to 60 %)", printed["L2", "share", "all"] " %",
        sprintf("%.0f %%", a), a > 15 && a < 60)
    a = rank_of()
    row("L2: of PR, CCA, MIS, CLR, SSSP, BC (rule: rank correlation above 0.5)", "72, 84, 43, 24, 19, 5 %",
        sprintf("%.0f, %.0f, %.0f, %.0f, %.0f, %.0f %%; %.2f", ours("share", "base", "PR"),
        ours("share", "base", "CCA"), ours("share", "base", "MIS"), ours("share", "base", "CLR"),
        ours("share", "base", "SSSP"), ours("share", "base", "BC"), a), a > 0.5)
    a = mean("time", "l1-24", "main"); b = mean("time", "l1-40", "main"); c = mean("time", "l1-64", "main")
    row("L3: L1 of 24, 40, 64 KB, 10 SMs (rule: each within 3 %)", "no appreciable change",
        signed(a) ", " signed(b) ", " signed(c), a < 1.03 && a > 0.97 && b < 1.03 && b > 0.97 && c < 1.03 && c > 0.97)
    a = mean("time", "wide-l1-24", "main")
    row("L3: 24 KB, 80 SMs (rule: within 3 %)", "no appreciable change", signed(a), a < 1.03 && a > 0.97)
    change("L4", "PR, time, mean of sizes", "time", "PR", sized("time", "PR"))
    change("L4", "PR, time, best size", "time", "PR", least("time", "PR", 1), 1)
    change("L4", "PR, bytes, all lines", "traffic", "PR", mean_of("traffic", "inf", "PR"), 1)
    change("L4", "PR, energy, mean of sizes", "energy", "PR", sized("energy", "PR"))
    change("L4", "PR, energy, best size", "energy", "PR", least("energy", "PR", 1), 1)
    change("L5", "CCA, time, mean of sizes", "time", "CCA", sized("time", "CCA"))
    change("L5", "CCA, bytes, best size", "traffic", "CCA", least("traffic", "CCA", 1), 1)
    change("L5", "CCA, energy, mean of sizes", "energy", "CCA", sized("energy", "CCA"))
    a = ours("time", "lab8", "CCA")
    row("L5: 8 lines are enough for CCA (rule: within 2 points of the best of 8 to 128)", "yes",
        signed(a) ", best " signed(least("time", "CCA")), a - least("time", "CCA") < 0.02 && a < 0.99)
    a = serialization("lab8", "PR"); b = serialization("inf", "PR")
    row("L6: PR, share of serialization with 8 lines (rule: below half)", "15 %",
        text_of(a, "%.0f %%") "; all lines " text_of(b, "%.0f %%"), a != "" && a < 50)
    change("L7", "BC, time, mean of sizes", "time", "BC", sized("time", "BC"))
    a = ours("traffic", "inf", "BC"); b = ours("energy", "inf", "BC")
    row("L7: BC, bytes and energy hardly change, all lines (rule: both within 10 %)", "-3, -1 %",
        signed(a) ", " signed(b), a > 0.9 && a < 1.1 && b > 0.9 && b < 1.1)
    change("L8", "SSSP, time, mean of sizes", "time", "SSSP", sized("time", "SSSP"))
    change("L9", "CC, time, mean of sizes", "time", "CC", sized("time", "CC"))
    change("L9", "CLR", "time", "CLR", sized("time", "CLR"))
    change("L9", "MIS", "time", "MIS", sized("time", "MIS"))
    a = serialization("lab8", "MIS"); b = serialization("inf", "MIS")
    row("L10: MIS, share of serialization falls from a small buffer to a large one", "69 to 47 %",
        text_of(a, "%.0f") " to " text_of(b, "%.0f %%"), a != "" && b != "" && a > b)
    a = ours("burst", "lab64", "BC"); b = ours("burst", "lab64", "MIS"); c = mean("burst", "lab64", "main")
    row("L11: the last flush, of time, 64 lines (rule: mean below 5 %)", "BC 0.5, MIS 5 %",
        sprintf("BC %.1f, MIS %.1f, mean %.1f %%", a, b, c), c < 5 && c > -1)
    all = "AN VGG SN"
    change("L12", "networks, time, mean of sizes", "time", "networks", sized("time", all))
    change("L12", "networks, energy", "energy", "networks", sized("energy", all))
    change("L12", "networks, bytes", "traffic", "networks", sized("traffic", all))
    change("L13", "AN, time, mean of sizes", "time", "AN", sized("time", "AN"))
    a = ours("time", "lab128", "AN"); b = least("time", "AN")
    row("L13: AN, the largest buffer is a bit worse than the best (rule: by more than 0.1 %; of 128 lines)", "yes",
        sprintf("%.3f, %.3f; 252 lines %.2f", a, b, ours("time", "lab252", "AN")), a > b * 1.001)
    change("L14", "AN (TY is not here), bytes, mean of sizes", "traffic", "AN and TY", sized("traffic", "AN"))
    change("L14", "AN, energy", "energy", "AN and TY", sized("energy", "AN"))
    change("L15", "VGG, time, mean of sizes", "time", "VGG", sized("time", "VGG"))
    change("L15", "VGG, time, best size", "time", "VGG", least("time", "VGG", 1), 1)
    change("L15", "VGG, energy, mean of sizes", "energy", "VGG", sized("energy", "VGG"))
    change("L15", "VGG, bytes, mean of sizes", "traffic", "VGG", sized("traffic", "VGG"))
    change("L15", "VGG, bytes, best size", "traffic", "VGG", least("traffic", "VGG", 1), 1)
    change("L16", "SN, time, mean of sizes", "time", "SN", sized("time", "SN"))
    change("L17", "VGG and SN, bytes, mean of sizes", "traffic", "VGG and SN", sized("traffic", "VGG SN"))
    change("L17", "VGG and SN, energy", "energy", "VGG and SN", sized("energy", "VGG SN"))
    a = 1 - mean_of("traffic", "lab16", "VGG SN"); b = 1 - least("traffic", "VGG SN")
    row("L17: VGG and SN, 16 lines have most of it (rule: 80 % of the bytes that the best of 8 to 128 spares)", "most",
        sprintf("%.0f %%", 100 * a / b), b > 0.01 && a > 0.8 * b)
    change("L18", "hLRC, time", "time", "hLRC", mean("time", "owned", "main"))
    change("L18", "hLRC, energy", "energy", "hLRC", mean("energy", "owned", "main"))
    change("L18", "hLRC, bytes", "traffic", "hLRC", mean("traffic", "owned", "main"))
    change("L19", "hLRC without CCA and H, time", "time", "hLRC without CCA and H",
        mean("time", "owned", "main", "CCA H"))
    change("L19", "hLRC without CCA and H, energy", "energy", "hLRC without CCA and H",
        mean("energy", "owned", "main", "CCA H"))
    change("L19", "hLRC without CCA and H, bytes", "traffic", "hLRC without CCA and H",
        mean("traffic", "owned", "main", "CCA H"))
    for (d = 1; d <= 2; d++) {
        all = d == 1 ? "lab64" : "inf"; b = d == 1 ? "64 lines over PHI" : "infinite over PHI"
        change("L2" (d - 1), (d == 1 ? "64 lines" : "all lines") " over PHI, time", "time", b,
            mean_over("time", all, "phi0"))
        a = mean_over("traffic", all, "phi0"); c = mean_over("energy", all, "phi0")
        row("L2" (d - 1) ": " (d == 1 ? "64 lines" : "all lines") \
            " over PHI, bytes and energy (rule: at most 3 % more)",
            theirs("L2" (d - 1), "traffic", b) ", " theirs("L2" (d - 1), "energy", b), signed(a) ", " signed(c),
            a < 1.03 && c < 1.03)
    }
    a = mean_over("time", "phi1", "phi0")
    row("L22: PHI's two ways to fill (rule: within 10 %)", "6 %", signed(a), a < 1.1 && a > 0.9)
    a = those("phi0", "lab64", "H HS AN CCA SSSP", 0.95, 1.05)
    row("L23: PHI is as good as 64 lines for H, HS, AN, CCA, SSSP (rule: four within 5 %)", "yes", a, how_many >= 4)
    a = those("phi0", "lab64", "BC", 0, 0.99)
    row("L23: PHI is better for BC", "yes", a, how_many == 1)
    a = those("phi0", "lab64", "CC CLR MIS SN VGG", 1.01, 99)
    row("L24: PHI is worse than 64 lines for CC, CLR, MIS, SN, VGG (rule: three)", "yes", a, how_many >= 3)
    a = those("owned", "phi0", "CC AN VGG SN", 0, 0.99)
    row("L25: hLRC is better than PHI for CC and networks (rule: three of four)", "yes", a, how_many >= 3)
    a = mean("time", "phi0", "sorts"); b = mean("time", "lab64", "sorts"); c = mean("time", "owned", "sorts")
    row("L26: huffman and HybridSort: PHI, 64 lines (rule: both gain, buffers as much or more)", "-24, -26 %",
        signed(a) ", " signed(b), a < 0.99 && b < 0.99 && b <= a + 0.005)
    row("L26: hLRC suffers there", "yes", signed(c), c > 1.01)
    a = largest("lab0 owned", "gpgpu")
    row("L27: without atomics, none of the buffer and hLRC (rule: each within 1.2 %)", "within 1.2 %",
        sprintf("at most %.2f %% (%s)", 100 * a, largest_at), a <= 0.012)
    change("L28", "PHI without atomics", "time", "GPGPU with PHI", mean("time", "phi0", "gpgpu"))
    a = (mean("time", "lab0", "gpgpu") * 17 + mean("time", "lab64", "sorts") * 2) / 19
    row("L29: buffers with Rodinia (rule: no loss above 0.5 %)", "-0.9 %", signed(a), a < 1.005)
    a = get("base", "HS-8192-picture", "cycles") / get("lab64", "H-8192-picture", "cycles")
    b = get("base", "HS-8192", "cycles") / get("lab64", "H-8192", "cycles")
    c = get("base", "HS-8192", "cycles") / get("inf", "H-8192", "cycles")
    d = get("base", "HS", "cycles") / get("lab64", "H", "cycles")
    row("L30: H with 64 lines over HS without, 8192 bins of a picture (rule: 1.5 times as fast or more)", "3 times",
        sprintf("%.2f; uniform values %.2f, with all lines %.2f; 256 bins %.2f", a, b, c, d), a >= 1.5)
    a = least("time", "H HS BWC BC CCA CC CLR MIS PR SSSP AN VGG SN"); b = least_at
    row("L31: 64 lines or less are enough (rule: the best of 8 to 128 by mean time)", "often",
        b ", " sprintf("%.3f", a), b ~ /^lab(8|16|32|64)$/)
    all = "25 50 75 100"
    row("L32: 75 % of the GPU gains more than 50 %, PR", "yes", shares_of("PR", all) " %",
        gain("PR_75") > gain("PR_50"))
    row("L32: 75 and 100 % gain more than 25 and 50 %, CCA", "yes", shares_of("CCA", all) " %",
        gain("CCA_75") > gain("CCA_50") && gain("CCA_100") > gain("CCA_50") && gain("CCA_75") > gain("CCA_25") &&
        gain("CCA_100") > gain("CCA_25"))
    a = gain("BC_100") - gain("BC_25"); b = gain("SSSP_100") - gain("SSSP_25")
    row("L32: BC and SSSP are flat from 25 to 100 % (rule: within 5 points)", "yes",
        shares_of("BC", "25 100") "; " shares_of("SSSP", "25 100") " %", a < 0.05 && a > -0.05 && b < 0.05 && b > -0.05)
    row("L32: CLR and MIS gain more with 100 than with 25 %", "slightly",
        shares_of("CLR", "25 100") "; " shares_of("MIS", "25 100") " %", gain("CLR_100") > gain("CLR_25") &&
        gain("MIS_100") > gain("MIS_25"))
    row("L33: largest error of a sum of floats (rule: below 1 %)", "below 1 %", sprintf("%.1e", error), error + 0 > 0 &&
        error < 0.01)
    untested("L14: TY, RN", "with AN: -10 % of time",
        "Tiny YOLO and ResNet are not among the workloads, so \"networks\" are three of five")
    close(dir "/claims.md")
}

# ------------------------------------------------------------------------------------------------ frames of figures

function frame(name, what, runs, columns, unit,    n, run, i, j, line, x) {
    open_frame(name, "workload", columns, unit)
    n = split(runs, run, " ")
    for (i = 1; i <= count; i++) if (in_any("main", list[i])) {
        line = list[i]
        for (j = 1; j <= n; j++) {
            x = ours(what, run[j], list[i]); line = line "," (x == "" ? "NA" : sprintf("%.4f", x))
        }
        if (x != "") print line > (dir "/" name ".csv") # hits of one without updates
    }
    line = "mean"
    for (j = 1; j <= n; j++) line = line "," sprintf("%.4f", mean(what, run[j], "main"))
    print line > (dir "/" name ".csv")
    close(dir "/" name ".csv")
}
function frames() {
    frame("time", "time", "serialize lab8 lab64 inf phi0 owned", "serialize,8,64,all,PHI,hLRC",
        "of%20atomics%20at%20L2")
    frame("traffic", "traffic", "lab8 lab64 inf phi0 owned", "8,64,all,PHI,hLRC", "of%20atomics%20at%20L2")
    frame("energy", "energy", "lab8 lab64 inf phi0 owned", "8,64,all,PHI,hLRC", "of%20atomics%20at%20L2")
    frame("hits", "hits", "lab8 lab16 lab32 lab64 lab128 inf", "8,16,32,64,128,all", "percent%20of%20updates")
}

END {
    if (sample) {
        for (i = 1; i <= count; i++) if (("owned", list[i]) in ran) print workload_row(list[i])
        exit
    }
    residency(dir "/residency.md")
    owners(dir "/owners.md")
    moved(dir "/moved.md")
    allocating(dir "/allocating.md")
    if (only) exit
    configurations(dir "/configurations.md")
    workloads(dir "/workloads.md")
    wide_table(dir "/wide.md")
    gpgpu_table(dir "/gpgpu.md")
    claims()
    frames()
}
