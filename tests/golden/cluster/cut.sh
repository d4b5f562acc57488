# A cut by number and by height; who belongs where.
$WARPSCAPE cluster $GOLDEN/points.csv -l complete -k 3 --assign a.csv | grep -E '^# c(ut|luster)'
grep -v '^#' a.csv
$WARPSCAPE cluster $GOLDEN/points.csv -l complete --height 5 --assign b.csv | grep -E '^# c(ut|luster)'
grep -v '^#' b.csv | cut -d, -f1,2
$WARPSCAPE cluster $GOLDEN/points.csv -k 7 | grep -c '^# cluster'
$WARPSCAPE cluster $GOLDEN/points.csv -k 1 | grep -E '^# c(ut|luster)'
