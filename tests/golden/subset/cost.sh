# Members, weights and speedup; cost from the frame itself, from another one, and none.
P=$GOLDEN/../cluster/points.csv
$WARPSCAPE subset $P --linkage complete --sizes 2,3,7 | grep -v '^# command'
awk 'NR == FNR && /^workload/ { print $0 ",seconds"; next } /^[A-Z]|^it/ { print $0 "," length($0); next } { print }' \
    $P >own.csv
printf 'workload,seconds,other\nit'"'"'s,8,1\nKM,6,1\nNE,6,1\nSS,8,1\nPR,6,1\nMM,6,1\nBFS,7,1\n' >times.csv
$WARPSCAPE subset own.csv --linkage complete --sizes 2,3,7 --cost seconds | grep -v '^#'
$WARPSCAPE subset $P --linkage complete --sizes 2,3,7 --cost times.csv:seconds | grep -v '^#'
$WARPSCAPE subset own.csv --linkage complete --sizes 3 --cost seconds --columns x | grep -v '^#'
for l in single average ward; do $WARPSCAPE subset $P -l $l --sizes 3 | tail -n 1; done
