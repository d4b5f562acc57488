# Silhouette, squares within and gap for each number of clusters; the seed decides the gap.
round() { awk -F, '/^#/ { next } /^linkage/ { print; next } { printf "%s,%d", $1, $2;
    for (i = 3; i <= NF; i++) printf ",%s", $i == "NA" ? "NA" : sprintf("%.6f", $i + 0); print "" }' "$@"; }
$WARPSCAPE cluster $GOLDEN/points.csv --quality q.csv >/dev/null
round q.csv
$WARPSCAPE cluster $GOLDEN/points.csv --quality a.csv --most 4 --gap 10 --seed 3 >/dev/null
$WARPSCAPE cluster $GOLDEN/points.csv --quality b.csv --most 4 --gap 10 --seed 3 >/dev/null
$WARPSCAPE cluster $GOLDEN/points.csv --quality c.csv --most 4 --gap 10 --seed 4 >/dev/null
cmp <(round a.csv) <(round b.csv) && round a.csv
cmp -s <(round a.csv) <(round c.csv) || echo "another seed, another gap"
