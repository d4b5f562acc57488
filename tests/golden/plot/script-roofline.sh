# The script of the figure, data and drawing, as bytes; frames that are no rooflines.
$WARPSCAPE plot roofline "$GOLDEN/roofline.csv" -o figure.gp && cat figure.gp
$WARPSCAPE plot roofline "$GOLDEN/front.csv" -o figure.gp 2>&1
grep -v 'roof: dram' "$GOLDEN/roofline.csv" >frame.csv && $WARPSCAPE plot roofline frame.csv -o figure.gp 2>&1
$WARPSCAPE plot roofline "$GOLDEN/roofline.csv" --columns cycles -o figure.gp 2>&1
