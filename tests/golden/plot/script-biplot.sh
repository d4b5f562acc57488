# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot biplot "$GOLDEN/suite.csv" --k 3 --top 4 -o figure.gp && cat figure.gp
