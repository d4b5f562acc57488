# chiplets_inputs.awk - inputs and chiplets of her size (tests/studies/reproduce_chiplet_inputs.sh): a row for each
# workload from the list, what Dalmia (2023) prints (data/published/chiplets.csv) and lines "WORKLOAD POLICY LAUNCHES
# CYCLES L2_MISSES ACQUIRES RELEASES". Gains are percent of speed, CPCoh over the other; bold: as hers, by more than 1
# %, or within 5 % where she has them equal.
# variables: of: rows of these workloads alone, without the head

FILENAME ~ /list$/ { list[++count] = $1; name[$1] = $2; input[$1] = $3; gsub(/_/, " ", input[$1]); next }
FILENAME ~ /[.]csv$/ {
    if (!/^#/ && $4 == 4) {
        n = split($3, named, " ")
        for (i = 1; i <= n; i++) { printed[$1, $2, named[i]] = $5; many[$1, $2, named[i]] = n > 1 }
    }
    next
}
{ launches[$1] = $3; cycles[$1, $2] = $4; misses[$1, $2] = $5; acquires[$1, $2] = $6; releases[$1, $2] = $7 }

function gain(w, policy, base) { return 100 * (cycles[w, base] / cycles[w, policy] - 1) }
function theirs(against, w) {
    return ("time", against, w) in printed ? sprintf("%+d %%",
        printed["time", against, w]) (many["time", against, w] ? " (with others)" : "") : ""
}
function shown(x, against, w,    s) {
    s = sprintf("%+.0f %%", x)
    if (!(("time", against, w) in printed)) return s
    return (printed["time", against, w] > 0 ? x > 1 : x < -1) ? "**" s "**" : s
}

END {
    if (of == "") {
        print "| | input | launches | us a launch, boundary | operations: boundary, cpcoh | L2 misses, of boundary " \
            "| theirs: over boundary | cpcoh | free | theirs: over HMG | cpcoh | free | HMG by first touch: cpcoh, " \
            "free |"
        print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    }
    for (k = 1; k <= count; k++) {
        w = list[k]
        printf "| %s, %s | %s | %d | %.1f | %d: %d + %d | %.2f | %s | %s | %s | %s | %s | %s | %+.0f, %+.0f %% |\n", w,
            name[w], input[w], launches[w], cycles[w, "boundary"] / launches[w] / 1801,
            acquires[w, "boundary"] + releases[w, "boundary"], acquires[w, "cpcoh"], releases[w, "cpcoh"],
                misses[w, "cpcoh"] / misses[w, "boundary"], theirs("boundary", w),
                shown(gain(w, "cpcoh", "boundary"), "boundary", w),
            shown(gain(w, "free", "boundary"), "boundary", w), theirs("hmg", w),
                shown(gain(w, "cpcoh", "hashed-hmg"), "hmg", w), shown(gain(w, "free", "hashed-hmg"), "hmg", w),
                gain(w, "cpcoh", "hmg"), gain(w, "free", "hmg")
    }
}
