# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot strata "$GOLDEN/strata.csv" -o figure.gp && cat figure.gp
