# What a device fence may cost: with each option the columns that say so; with words for each SM nobody looks at one for
# all; values hold; what does not go together is refused.
sync() { "$WARPSCAPE" sim --config qv100 --set chip.sms=4 --set sm.waits=1 --suite --scale tiny "$@" 2>/dev/null |
    awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) name[i] = $i; next }
    { for (i = 4; i <= NF; i++) if (name[i] ~ /^(ended|fences_|fence_cycles|l1_invalidated)/) printf "%s=%s ",
        name[i], $i; print "" }'; }
try() { "$WARPSCAPE" sim "$@" 2>&1 | sed "s|$TOP|TOP|g"; echo "exit status ${PIPESTATUS[0]}"; }
bar='--size barrier=4,sms=4,blocks=4,threads=32,together=0 GBAR'
free='--set sm.fence=0 --set sm.fence_from=complete --set l1.fence=keep'
sync $bar
sync $free $bar
sync $free --set l1.fence=invalidate $bar
sync $free --set sm.fence=100 $bar
sync $free --set sm.fence=100 --set sm.fence_turns=1 $bar
sync $free --set sm.fence=100 --set sm.fence_from=issue $bar
sync --size barrier=2,own=1,sms=4,blocks=4,threads=32,together=0 GBAR
for protocol in vi gtsc-rc; do
    "$WARPSCAPE" sim --config gtsc --protocol $protocol --check --set sm.fence=50 --set sm.fence_turns=1 --suite \
        --scale tiny --size barrier=2,sms=4,blocks=4,threads=32,together=0 GBAR 2>/dev/null | grep -c ',done,'
done
"$WARPSCAPE" exec -j 1 --trace x.wst "$TOP/tests/coherence/sharing.ptx" "$TOP/tests/coherence/reduction.launch" \
    >/dev/null
try --set l1.fence=elephant x.wst
try --set l1.fence=invalidate --protocol vi x.wst
try --config qv100 --set l1.enabled=0 x.wst
try --config qv100 --set l1.write=back x.wst
try --config qv100 --set sm.fence=0 --set sm.fence_turns=1 x.wst
try --config qv100 --set sm.fence_from=elephant x.wst
try --config qv100 --suite --scale tiny --size barrier=4,own=1 GBAR | sed 's/, [0-9.]* s$//'
for model in divergence chiplets; do
    "$WARPSCAPE" model $model --config $([ $model = chiplets ] && echo four-chiplets ||
        echo oaws) --set l1.fence=invalidate x.wst 2>&1 >/dev/null
    echo "exit status $?"
done
# Estimates take such an L1 for one whose copies end at fences.
"$WARPSCAPE" exec -j 1 --profile -d p.db "$TOP/tests/coherence/sharing.ptx" "$TOP/tests/coherence/reduction.launch" \
    >/dev/null
"$WARPSCAPE" model power -d p.db -c qv100 --set l1.fence=invalidate | grep 'count as'
