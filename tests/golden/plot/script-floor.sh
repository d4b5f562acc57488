# The script of the figure, data and drawing, as bytes; the last column is shown; frames that have no places, or blocks
# without a size.
$WARPSCAPE plot floor "$GOLDEN/floor.csv" -o figure.gp && cat figure.gp
$WARPSCAPE plot floor "$GOLDEN/floor.csv" --columns x,y,width,height,watts --labels none -o watts.gp &&
    diff figure.gp watts.gp
$WARPSCAPE plot floor "$GOLDEN/curve.csv" -o figure.gp 2>&1
$WARPSCAPE plot floor "$GOLDEN/floor.csv" --columns x,y,width,height -o figure.gp 2>&1
sed 's/^l2,0,6,8,2/l2,0,6,8,0/' "$GOLDEN/floor.csv" >flat.csv
$WARPSCAPE plot floor flat.csv -o figure.gp 2>&1
true
