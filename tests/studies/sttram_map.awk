# sttram_map.awk - of frames of `model memory` with several organisations, the best of each workload, as a table: least
# energy times cycles, least energy with at most 2 % more cycles than SRAM takes, and how many are on the front.
# Organisations have quotes where they have commas.

function unquote(line,    n, i, part, out) {
    n = split(line, part, "\"")
    for (i = 1; i <= n; i++) { if (i % 2 == 0) gsub(",", ";", part[i]); out = out part[i] }
    return out
}
function name(r, m) { gsub(";", ",", m); return "`" r "`, `" m "`" }
FNR == 1 { seen = 0 }
/^#/ { next }
!seen++ { n = split($0, column, ","); for (i = 1; i <= n; i++) at[column[i]] = i; next }
{
    split(unquote($0), f, ",")
    w = f[1]
    if (!(w in count)) order[++workloads] = w
    count[w]++
    joules = f[at["joules_change"]]; cycles = f[at["cycles_change"]]
    front[w] += f[at["front"]]
    if (!(w in best) || joules * cycles < best[w]) {
        best[w] = joules * cycles; best_is[w] = name(f[4], f[5]); best_joules[w] = joules
        best_cycles[w] = cycles
    }
    if (cycles <= 1.02 && (!(w in fast) || joules < fast[w])) { fast[w] = joules; fast_is[w] = name(f[4], f[5]) }
}
END {
    table_head("| | least energy times cycles | energy | cycles | least energy with at most 2 % more cycles | " \
        "energy | on the front |")
    for (i = 1; i <= workloads; i++) {
        w = order[i]
        printf "| %s | %s | %.2f | %.2f | %s | %.2f | %d of %d |\n", w, best_is[w], best_joules[w], best_cycles[w],
            fast_is[w], fast[w], front[w], count[w]
    }
}
