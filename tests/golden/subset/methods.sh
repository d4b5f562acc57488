# Every method there is, by the list that an unknown one is answered with; the default is one of them.
P=$GOLDEN/../cluster/points.csv
for m in $($WARPSCAPE subset $P --sizes 3 --method none 2>&1 | sed -n 's/.*there are//p'); do
    $WARPSCAPE subset $P --method $m --sizes 2,3,7 2>&1 | grep -v '^# \(command\|tool\)'
done
$WARPSCAPE subset $P --sizes 3 | tail -n 1
$WARPSCAPE subset $P --sizes 3 --method kmeans --seed 2 | tail -n 1
