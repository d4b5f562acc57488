# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot loadings "$GOLDEN/suite.csv" --top 4 -o figure.gp && cat figure.gp
