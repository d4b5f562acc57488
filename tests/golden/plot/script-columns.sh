# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot columns "$GOLDEN/suite.csv" --k 3 -o figure.gp && cat figure.gp
