# chameleon_claims.awk - the claims of Chameleon from lines "RUN SUPPLY WORKLOAD POLICY COLUMN VALUE"
# (tests/studies/reproduce_chameleon.sh): rows "| claim | theirs | ours | same direction? |" on standard output.
# "Same direction": of a ratio, the whole confidence interval on their side of 1; of a share, within a factor of two; of
# "close to", within 10 %; of an order, the same order.

{ v[$1, $2, $3, $4, $5] = $6; if ($1 == "each") workloads[$3] }

function get(run, supply, workload, policy, column) { return v[run, supply, workload, policy, column] + 0 }
function low(run, supply, workload, policy, column) { return get(run, supply, workload, policy, column "_low") }
function high(run, supply, workload, policy, column) { return get(run, supply, workload, policy, column "_high") }
function interval(run, supply, policy, column) {
    return sprintf("%.3g (%.3g to %.3g)", get(run, supply, "mean", policy, column),
        low(run, supply, "mean", policy, column),
        high(run, supply, "mean", policy, column))
}
function pair(one, other, policy, column) {
    return one " " interval("supply", one, policy, column) ", " other " " interval("supply", other, policy, column)
}
function above(run, supply, policy, column) { return low(run, supply, "mean", policy, column) > 1 }
function below(run, supply, policy, column) { return high(run, supply, "mean", policy, column) < 1 }
function within(a, b, factor) { return a <= b * factor && a >= b / factor }
function greatest(run, supply, column,    w, most) {
    for (w in workloads)
        if (get(run, supply, w, "chameleon", column) > most) {
            most = get(run, supply, w, "chameleon", column); which = w
        }
    return most
}

END {
    ur = "utilization_relative"; tr = "throughput_relative"; mr = "mtbf_relative"
    row("Ample power: Chameleon uses nearly as much of the supply as energy-oriented control", "97 % of it",
        pair("HpHv", "HpLv", "chameleon", ur) " times it",
        within(get("supply", "HpHv", "mean", "chameleon", ur), 1, 1.1) &&
            within(get("supply", "HpLv", "mean", "chameleon", ur), 1, 1.1))
    row("Ample power: the supply is used nearly whole", "95 %", pair("HpHv", "HpLv", "chameleon", "utilization"),
        within(get("supply", "HpHv", "mean", "chameleon", "utilization"), 0.95, 1.1) &&
        within(get("supply", "HpLv", "mean", "chameleon", "utilization"), 0.95, 1.1))
    row("Tight and stable power (LpLv): both who switch use less of the supply than energy-oriented control",
        "nearly 50 % less",
        "Threshold " interval("supply", "LpLv", "threshold", ur) ", Chameleon " \
            interval("supply", "LpLv", "chameleon", ur) " times it",
        below("supply", "LpLv", "threshold", ur) && below("supply", "LpLv", "chameleon", ur))
    row("Tight and variable power (LpHv): they use more", "more",
        "Threshold " interval("supply", "LpHv", "threshold", ur) ", Chameleon " \
            interval("supply", "LpHv", "chameleon", ur) " times it",
        above("supply", "LpHv", "threshold", ur) && above("supply", "LpHv", "chameleon", ur))
    row("Tight and variable power: the share of the energy used that went through the battery", "about 75 %",
        interval("supply", "LpHv", "chameleon", "battery_share"),
            within(get("supply", "LpHv", "mean", "chameleon", "battery_share"), 0.75, 2))
    b["HpLv"] = get("supply", "HpLv", "mean", "chameleon", "battery_share")
    b["HpHv"] = get("supply", "HpHv", "mean", "chameleon", "battery_share")
    b["LpLv"] = get("supply", "LpLv", "mean", "chameleon", "battery_share")
    b["LpHv"] = get("supply", "LpHv", "mean", "chameleon", "battery_share")
    row("That share grows as power gets tight and variable", "it grows",
        sprintf("HpLv %.3f, HpHv %.3f, LpLv %.3f, LpHv %.3f", b["HpLv"], b["HpHv"], b["LpLv"], b["LpHv"]),
        b["HpLv"] < b["HpHv"] && b["LpLv"] < b["LpHv"] && b["HpLv"] < b["LpLv"] && b["HpHv"] < b["LpHv"])
    row("Ample power: throughput of Chameleon over energy-oriented", "1.5 (or + 150 %: the sign is lost)",
        pair("HpHv", "HpLv", "chameleon", tr), above("supply", "HpHv", "chameleon", tr) &&
            above("supply", "HpLv", "chameleon", tr))
    most = greatest("each", "LpHv", tr)
    row("Tight power: the same", "16 (or + 1600 %)",
        pair("LpHv", "LpLv", "chameleon", tr) sprintf("; most: %s on LpHv, %.3g", which, most),
        above("supply", "LpHv", "chameleon", tr) && above("supply", "LpLv", "chameleon", tr))
    row("Throughput of Chameleon over Threshold, mean of all", "1.13",
        interval("threshold", "mean", "chameleon", tr), above("threshold", "mean", "chameleon", tr))
    row("MTBF of those who switch over energy-oriented", "significantly longer",
        "Threshold on HpLv " interval("supply", "HpLv", "threshold", mr) ", HpHv " \
            interval("supply", "HpHv", "threshold", mr) ", LpLv " \
        interval("supply", "LpLv", "threshold", mr) ", LpHv " interval("supply", "LpHv", "threshold", mr),
        above("supply", "HpLv", "threshold", mr) && above("supply", "HpHv", "threshold", mr) &&
            above("supply", "LpLv", "threshold", mr) &&
        above("supply", "LpHv", "threshold", mr))
    m["HpLv"] = get("supply", "HpLv", "mean", "chameleon", mr)
    m["HpHv"] = get("supply", "HpHv", "mean", "chameleon", mr)
    m["LpLv"] = get("supply", "LpLv", "mean", "chameleon", mr)
    m["LpHv"] = get("supply", "LpHv", "mean", "chameleon", mr)
    row("MTBF of Chameleon over energy-oriented, by panel: HpHv and LpLv gain less than HpLv and LpHv", "less",
        "HpLv " interval("supply", "HpLv", "chameleon", mr) ", HpHv " interval("supply", "HpHv", "chameleon", mr) \
            ", LpLv " \
        interval("supply", "LpLv", "chameleon", mr) ", LpHv " interval("supply", "LpHv", "chameleon", mr),
        m["HpHv"] < m["HpLv"] && m["HpHv"] < m["LpHv"] && m["LpLv"] < m["HpLv"] && m["LpLv"] < m["LpHv"])
    row("MTBF of Chameleon over Threshold, mean of all", "1.42",
        interval("threshold", "mean", "chameleon", mr), above("threshold", "mean", "chameleon", mr))
}
