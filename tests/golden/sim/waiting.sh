# Of a trace of warps that wait for others all who look at it say so, in one line; not of other traces, and not live.
cp "$TOP/tests/coherence/sharing.ptx" poll_flag.ptx
cp "$TOP/tests/coherence/sharing.ptx" reduction.ptx
for name in poll_flag reduction; do
    "$WARPSCAPE" exec -j 1 --trace $name.wst --profile --db $name.db $name.ptx "$TOP/tests/coherence/$name.launch" \
        >/dev/null
    echo $name
    "$WARPSCAPE" sim $name.wst | grep '^# waiting'
    "$WARPSCAPE" verify --tier 1 --protocol bl $name.wst 2>/dev/null | grep '^# waiting'
    "$WARPSCAPE" model coherence --tier 2 --protocol bl --trace $name.wst | grep '^# waiting'
    "$WARPSCAPE" model coherence --protocol bl --db $name.db | grep '^# waiting'
    "$WARPSCAPE" sim $name.ptx "$TOP/tests/coherence/$name.launch" 2>/dev/null | grep '^# waiting'
done
echo 'launches of one workload'
"$WARPSCAPE" suite run -j 1 --scale tiny --trace . BH 2>log
"$WARPSCAPE" model coherence --tier 2 --protocol bl --trace BH.wst | grep '^# waiting'
