# The script of the figure, data and drawing, as bytes. Of MT only the row of all launches is shown.
$WARPSCAPE plot network "$GOLDEN/network.csv" --width 600 -o figure.gp && cat figure.gp
