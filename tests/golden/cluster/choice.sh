# Two groups far apart: every linkage tells them, by silhouette and by gap; without --gap there are no columns for it.
awk 'BEGIN { print "row,x,y"; for (i = 0; i < 12; i++) printf "r%d,%g,%g\n", i, 100 * (i % 2) + sin(i), cos(i * i) }' \
    >frame.csv
$WARPSCAPE cluster frame.csv --choice choice.csv --gap 50 --most 6 >/dev/null
grep -v '^#' choice.csv |
    awk -F, 'NR == 1 { print; next } { printf "%s,%.2f,%s,%.3f,%s,%.1f\n", $1, $2, $3, $4, $5, $6 }'
$WARPSCAPE cluster frame.csv --choice choice.csv >/dev/null && grep '^linkage' choice.csv
try() { $WARPSCAPE cluster "$@" 2>&1 >/dev/null | head -n 1; }
try frame.csv --choice -
try frame.csv --choice choice.csv --most 12
try frame.csv --most 3
