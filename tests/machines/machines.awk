# The frame of `warpscape sim --microbench` as the tables of a page, docs/machines: a section for each group, sources as
# numbers.
# -v machine=NAME
function cells(line, cell,    n, at, quoted, c) { # of a line of CSV
    split("", cell)
    n = 1
    cell[1] = ""
    for (at = 1; at <= length(line); at++) {
        c = substr(line, at, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) cell[++n] = ""
        else cell[n] = cell[n] c
    }
    return n
}
function number(text) { return text == "NA" ? "" : text + 0 == 0 ? "0" : sprintf("%.4g", text) }
function of_source(text,    i) {
    if (text == "") return ""
    for (i = 1; i <= sources; i++) if (source[i] == text) return " [" i "]"
    source[++sources] = text
    return " [" sources "]"
}
/^#/ { next }
!columns { columns = cells($0, name); for (i = 1; i <= columns; i++) of[name[i]] = i; next }
{
    cells($0, cell)
    group = cell[of["group"]]
    if (group != last) {
        printf "\n## %s%s\n\n| Benchmark | Measure | Value | Published | Ratio |\n|---|---|---:|---:|---:|\n",
            toupper(substr(group, 1, 1)), substr(group, 2)
        last = group
    }
    published = number(cell[of["published"]])
    printf "| %s | %s | %s %s | %s | %s |\n", cell[of["benchmark"]], cell[of["measure"]], number(cell[of["value"]]),
        cell[of["unit"]],
           published == "" ? "" : published of_source(cell[of["source"]]),
               cell[of["ratio"]] == "NA" ? "" : sprintf("%.2f", cell[of["ratio"]])
}
END {
    if (sources) print "\n## Sources\n"
    for (i = 1; i <= sources; i++) printf "%d. %s\n", i, source[i]
}
