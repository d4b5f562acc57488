# The number of workers changes no metric.
for j in 1 2 3; do
    "$WARPSCAPE" suite run --scale tiny -j $j --db $j.db MM PR NW 2>/dev/null || exit 1
    "$WARPSCAPE" metrics --db $j.db --per launch | grep -v '^#' > $j.csv
done
cmp 1.csv 2.csv && cmp 1.csv 3.csv && wc -l < 1.csv
