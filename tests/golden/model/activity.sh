# One currency: without L1s every access goes to L2, so closed forms, a replay without time and the cycle simulator have
# to count the same lines, lookups, messages, flits and bursts. Texture and constant caches are not modelled; these
# workloads have none.
$WARPSCAPE suite run --scale tiny --profile --trace . -d p.db MM BFS SLA 2>/dev/null
sum() { # sum FILE: what a model of the traffic knows
    awk -F, '/^#/ || $1 == "workload" { next }
        $4 == "network" && $6 != "hops" || $4 == "dram" && ($6 == "reads" || $6 == "writes") || $6 == "transactions" ||
        $6 == "tag_accesses" && $5 == "l2" { n[$4 " " $5 " " $6] += $10 }
        END { for (k in n) if (n[k]) print k, n[k] }' "$1" | sort
}
for name in MM BFS SLA; do
    $WARPSCAPE sim --config gtsc --protocol bl --activity sim.csv $name.wst >/dev/null
    $WARPSCAPE model coherence --tier 2 -T $name.wst -P bl --activity second.csv >/dev/null
    $WARPSCAPE model coherence -d p.db -P bl --activity all.csv >/dev/null
    grep -E "^(#|workload|$name,)" all.csv >first.csv
    sum sim.csv >sim && sum second.csv >second && sum first.csv >first
    cmp sim second && echo "$name: replay and simulation count the same, $(wc -l <sim) counters"
    diff second first >/dev/null && echo "$name: closed forms count the same"
done
cat second
sed -n '/^# labels/,$p' second.csv | head -n 4
$WARPSCAPE model coherence -d p.db --activity nowhere/x.csv 2>&1 >/dev/null | tail -n 1
