# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot curves "$GOLDEN/curve.csv" --title "Subsets" -o figure.gp && cat figure.gp
