# No simulated launch is faster than its roofline allows, on machines of plain and of coherent caches; the whole suite
# is in docs/roofline.md.
"$WARPSCAPE" suite run --scale tiny --set all --trace traces MM SLA BP 64H 2>log
for machine in gtsc rtx2060; do
    "$WARPSCAPE" model roofline --config $machine --per launch --columns least,cycles | grep -v '^#' |
        cut -d, -f1,3,5- >roofs
    for trace in traces/*.wst; do
        "$WARPSCAPE" sim --config $machine "$trace" | grep -v '^#' | tail -n +2 | cut -d, -f1,3,6
    done | awk -F, -v machine=$machine 'NR == FNR { least[$1 "," $2] = $3; next }
        ($1 "," $2) in least { launches++; slower += least[$1 "," $2] <= $3; close_by += least[$1 "," $2] > 0.01 * $3 }
        END { print machine, launches, "launches,", slower, "no faster than the roofline,",
            (close_by > 0 ? "some near it" : "none near it") }' roofs -
done
