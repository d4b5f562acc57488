# Rows per workload, kernel and launch; sums agree between them.
"$WARPSCAPE" suite run --scale tiny SLA MM 2>log
for per in workload kernel launch; do
    "$WARPSCAPE" metrics --set study --per $per | grep -v '^#' >$per.csv
    awk -F, -v per=$per 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "I_total") total = i;
        if ($i == "K_n") n = i } }
        NR > 1 { launches += $n; sum += $total } END { print per, NR - 1, launches, sum }' $per.csv
    cut -d, -f1-3 $per.csv
done
