# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot tornado "$GOLDEN/tornado.csv" -o figure.gp && cat figure.gp
