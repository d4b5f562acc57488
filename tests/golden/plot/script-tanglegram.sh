# The script of the figure, data and drawing, as bytes; the second frame has one row fewer, one more, and another order.
cp "$GOLDEN/suite.csv" "$GOLDEN/pair.csv" .
$WARPSCAPE plot tanglegram suite.csv pair.csv --k 3 -o figure.gp && cat figure.gp
