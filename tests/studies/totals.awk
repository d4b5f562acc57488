# totals.awk - lines "RUN COLUMN VALUE" of frames of `warpscape sim`: of one of counters its last row, the total; of one
# of power the joules of all launches and of each component, its watts in their seconds. variables: run; missing: what
# NA stands for, else it is left out
BEGIN { FS = "," }
/^#/ { next }
!n++ { for (i = 1; i <= NF; i++) { column[i] = $i; at[$i] = i } next }
"joules" in at {
    joules += $at["joules"]
    for (i = at["leakage"] + 1; i <= NF; i++) part[column[i]] += $i * $at["seconds"]
}
{ total = $0 }
END {
    if ("joules" in at) {
        print run, "joules", joules
        for (i in part) print run, "joules_" i, part[i]
        exit
    }
    m = split(total, cell, ",")
    for (i = 6; i <= m; i++) {
        if (cell[i] == "NA") cell[i] = missing
        if (cell[i] != "") print run, column[i], cell[i]
    }
}
