# The script of the figure, data and drawing, as bytes; frames that have no front.
$WARPSCAPE plot front "$GOLDEN/front.csv" -o figure.gp && cat figure.gp
$WARPSCAPE plot front "$GOLDEN/curve.csv" -o figure.gp 2>&1
$WARPSCAPE plot front "$GOLDEN/front.csv" --columns joules,front -o figure.gp 2>&1
$WARPSCAPE plot front "$GOLDEN/front.csv" --columns unknown,joules,front -o figure.gp 2>&1
true
