# The row of all launches: sums, and of timestamps, which start again with each launch, the greatest.
"$WARPSCAPE" sim --config gtsc --protocol gtsc-rc --suite HS >x.csv 2>log || exit
grep -v '^#' x.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { cycles = $column["cycles"]; time = $column["greatest_timestamp"] }
    $2 == "total" { print (sum == cycles ? "same sum" : "other sum"),
        (most == time ? "same greatest" : "other greatest") }
    $2 != "total" { sum += cycles; most = time > most ? time : most }
    END { print (most > 20 ? "they went on" : "they did not") }'
# Blocks that a store touches.
grep -v '^#' x.csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    END { print ($column["touches_per_store"] >= 1 && $column["touches_per_store"] <= 4 ? "sane" : $0) }'
# Volatile loads may be served by copies where the machine says so: fewer go to L2.
for polls in 1 0; do
    "$WARPSCAPE" sim --config gtsc --protocol gtsc-rc -s coherence.polls=$polls --check --suite DLP 2>>log |
        grep -v '^#' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } END { print $column["msg_READ"] }'
done | awk '{ n[NR] = $1 } END { print (n[2] < 0.8 * n[1] ? "fewer reads" : n[1] " " n[2]) }'
