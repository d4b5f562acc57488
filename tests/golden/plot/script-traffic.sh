# The script of the figure, data and drawing, as bytes; then the data of one kind of access alone.
$WARPSCAPE plot traffic "$GOLDEN/traffic.csv" --title "k-means" -o figure.gp && cat figure.gp
grep -v ',all,\|_read,' "$GOLDEN/traffic.csv" | $WARPSCAPE plot traffic - -o writes.gp &&
    sed -n '/^.cells/,/^EOD/p' writes.gp
