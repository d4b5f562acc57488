# Features that predict are made of what was measured, of workloads, kernels and launches; bounds are of measured
# columns.
"$WARPSCAPE" suite run --scale tiny PR MM 2>log
column() { grep -v '^#' | awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
    NR > 1 { printf "%.9f\n", $at }'; }
for per in workload kernel launch; do
    "$WARPSCAPE" metrics --set all --per $per | column K_n | awk '{ printf "%.9f\n", log(1 + $1) }' >expected
    "$WARPSCAPE" metrics --set performance --per $per | column log_launches | cmp - expected && wc -l <expected
done
"$WARPSCAPE" metrics --set performance --time | grep -v '^#' | head -1
"$WARPSCAPE" metrics --set performance --bounds 2>&1
