# power_claims.awk - claims of power from lines "RUN WORKLOAD PART VALUE" (tests/studies/reproduce_power.sh): rows of a
# table. "Same direction" of a change: the same sign, by more than 1 % of the other's total; of a range: the mean lies
# in it.
# variables: shared (workloads)
{ v[$1, $2, $3] = $4; if ($1 == "study" && $3 == "watts") study[++studies] = $2 }
# Mean over workloads of what PART of run a has over that of b, in parts of b's total.
function change(a, b, part,    list, n, i, sum) {
    n = split(shared, list, " ")
    for (i = 1; i <= n; i++) sum += (v[a, list[i], part] - v[b, list[i], part]) / v[b, list[i], "total"]
    return 100 * sum / n
}
# The same of all that is not named.
function change_of_rest(a, b, parts,    n, part, i, sum) {
    n = split(parts, part, " ")
    sum = change(a, b, "total")
    for (i = 1; i <= n; i++) sum -= change(a, b, part[i])
    return sum
}
function own(a, b, part,    list, n, i, sum) {
    n = split(shared, list, " ")
    for (i = 1; i <= n; i++) sum += log(v[a, list[i], part] / v[b, list[i], part])
    return 100 * (exp(sum / n) - 1)
}
function row(claim, theirs, ours, holds) {
    printf "| %s | %s | %s | %s |", claim, theirs, ours, holds ? "yes" : "no"; print ""
}
function falls(claim, theirs, a, b, part,    c) {
    c = change(a, b, part); row(claim, theirs, sprintf("%+.1f %%", c), c < -1)
}
function mean_of(part,    i, s) { for (i = 1; i <= studies; i++) s += v["study", study[i], part]; return s / studies }
function share_of(part,    i, s) {
    for (i = 1; i <= studies; i++) s += v["study", study[i], part] / v["study", study[i], "watts"]
    return 100 * s / studies
}
function share_of_cores(part,    i, s) {
    for (i = 1; i <= studies; i++) s += v["study", study[i], part] / v["study", study[i], "cores"]
    return 100 * s / studies
}
END {
    print "| claim | theirs | ours | same direction? | why not |"
    print "| --- | --- | --- | --- | --- |"
    falls("Energy of G-TSC-RC against no L1", "-11 %", "gtsc-rc", "bl", "total")
    falls("Energy of G-TSC-RC against TC-weak", "-9 to -11 %", "gtsc-rc", "tc-weak", "total")
    falls("Of the former, L2", "-2 %", "gtsc-rc", "bl", "l2")
    falls("Of the former, network", "-4 %", "gtsc-rc", "bl", "network")
    c = change_of_rest("gtsc-rc", "bl", "l2 network")
    row("Of the former, all but L2 and network", "-5 %", sprintf("%+.1f %%", c), c < -1)
    falls("Of the latter, L2", "-1 %", "gtsc-rc", "tc-weak", "l2")
    falls("Of the latter, network", "-3 %", "gtsc-rc", "tc-weak", "network")
    c = change_of_rest("gtsc-rc", "tc-weak", "l2 network")
    row("Of the latter, all but L2 and network", "-5 %", sprintf("%+.1f %%", c), c < -1)
    a = v["gtsc-rc", "CCL", "total"] / v["gtsc-sc", "CCL", "total"]
    b = v["gtsc-rc", "BH", "total"] / v["gtsc-sc", "BH", "total"]
    row("RC takes more energy than SC in CC and BH, although it is faster", "more",
        sprintf("CC %.2f, BH %.2f times", a, b), a > 1.01 && b > 1.01)
    c = own("tc-weak", "gtsc-rc", "l1")
    row("Energy of the L1s: TC slightly below G-TSC", "below", sprintf("%+.1f %%", c), c < 0)
    w = mean_of("cores"); s = share_of("cores")
    row("Cores take 35 to 45 % of the GPU's power", "35-45 %", sprintf("%.0f %%", s), s >= 35 && s <= 45)
    row("Cores take 50 to 85 W", "50-85 W", sprintf("%.0f W", w), w >= 50 && w <= 85)
    s = share_of_cores("registers")
    row("Register files take 20 to 40 % of the cores' power", "20-40 %", sprintf("%.0f %%", s), s >= 20 && s <= 40)
    s = share_of_cores("shared")
    row("Shared memory takes 2 to 40 % of the cores' power", "2-40 %", sprintf("%.0f %%", s), s >= 2 && s <= 40)
}
