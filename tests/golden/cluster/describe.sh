# What distinguishes each cluster: by the columns of the tree, and by those of another frame, its rows in another order.
cp $GOLDEN/points.csv .
round() { awk -F, '/^#/ { if (!/command|warpscape/) print; next } /^column/ { print; next } { printf "%s,%d,%d", $1, $2, $3;
    for (i = 4; i <= NF; i++) printf ",%.5f", $i + 0; print "" }' "$@"; }
$WARPSCAPE cluster points.csv -k 2 --describe a.csv --level 1 | grep '^# cluster'
round a.csv
$WARPSCAPE cluster points.csv -k 3 --describe b.csv >/dev/null
round b.csv
cat >by.csv <<'END'
w,instructions,same,loads
it's,30,1,9
KM,36,1,3
NE,10,1,5
MM,32,1,7
BFS,11,1,4
PR,12,1,6
SS,31,1,5
END
$WARPSCAPE cluster points.csv --height 5 --describe c.csv --describe-by by.csv >/dev/null
round c.csv
sed '/^SS/s/5$/NA/' by.csv >gap.csv
$WARPSCAPE cluster points.csv -k 3 --describe d.csv --describe-by gap.csv --missing columns >/dev/null
round d.csv
try() { $WARPSCAPE cluster points.csv "$@" 2>&1 >/dev/null | head -n 1; }
try -k 3 --describe e.csv --describe-by gap.csv
try -k 3 --describe e.csv --describe-by gap.csv --missing rows
sed 's/,/ /g' by.csv | sed 's/ .*//' >none.csv
try -k 3 --describe e.csv --describe-by none.csv
grep -v ^KM by.csv >less.csv
try -k 3 --describe e.csv --describe-by less.csv
try -k 1 --describe e.csv
try --describe e.csv
try -k 3 --level 0.1
try -k 3 --describe-by by.csv
try -k 3 --describe e.csv --level 2
try -k 3 --describe -
ls
