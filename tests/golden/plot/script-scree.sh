# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot scree "$GOLDEN/suite.csv"  -o figure.gp && cat figure.gp
