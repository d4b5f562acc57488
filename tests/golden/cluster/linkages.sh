# The merges of each linkage, in R's convention.
for l in single complete average ward; do
    $WARPSCAPE cluster $GOLDEN/points.csv --linkage $l | sed "s|$GOLDEN/||"
done
