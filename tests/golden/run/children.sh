# Kernels that kernels launch are launches like others; each says whose child it is. The number of workers changes
# nothing.
program=$(dirname "$WARPSCAPE")/tests/cuda/children-13
"$WARPSCAPE" run --kernels '^(order|note|nested)$' "$program" 2>/dev/null
"$WARPSCAPE" launches | sed -n '1,19p' | cut -d, -f2-4,14,16,18
WARPSCAPE_WORKERS=1 "$WARPSCAPE" run --db one.db "$program" >/dev/null 2>&1
WARPSCAPE_WORKERS=7 "$WARPSCAPE" run --db many.db "$program" >/dev/null 2>&1
for n in one many; do "$WARPSCAPE" metrics --db $n.db --per launch | grep -v "^# command" >$n.csv; done
cmp one.csv many.csv && echo same
# In traces, too.
"$WARPSCAPE" run --trace traces --launches 1-9 "$program" >/dev/null 2>&1
"$WARPSCAPE" replay traces/*.wst 2>/dev/null | grep -v "^#" | cut -d, -f1-3,6
