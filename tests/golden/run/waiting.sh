# Kernels that kernels wait for are launches like others, in the order in which they begin; their numbers do not depend
# on the workers, and a trace, which they stand in behind the kernel that waits, gives the same ones. A selection may
# leave that one out.
program=$(dirname "$WARPSCAPE")/tests/cuda/waiting-13
trace=()
for n in 1 7; do
    WARPSCAPE_WORKERS=$n "$WARPSCAPE" run --db $n.db "${trace[@]}" "$program" >/dev/null 2>&1
    trace=(--trace traces)
    "$WARPSCAPE" metrics --db $n.db --per launch | grep -v "^#" >$n.csv
done
cmp 1.csv 7.csv && echo same
"$WARPSCAPE" launches --db 7.db | sed -n '1,10p' | cut -d, -f2-4,14,16,18
"$WARPSCAPE" replay traces/*.wst 2>/dev/null | grep -v "^#" | sed -n '1,7p' | cut -d, -f1-3,5-6
"$WARPSCAPE" replay --partial --db again.db traces/*.wst >/dev/null 2>&1
"$WARPSCAPE" metrics --db again.db --per launch | grep -v "^#" | cut -d, -f2-100 >again.csv
head -n "$(wc -l <again.csv)" 7.csv | cut -d, -f2-100 | cmp - again.csv && echo replayed
"$WARPSCAPE" run --db some.db --kernels '^add$' --trace some "$program" >/dev/null 2>&1
"$WARPSCAPE" launches --db some.db | sed -n '2,6p' | cut -d, -f2-4,14,16,18
"$WARPSCAPE" replay some/*.wst 2>/dev/null | grep -v "^#" | sed -n '2,4p' | cut -d, -f1-3,5-6
