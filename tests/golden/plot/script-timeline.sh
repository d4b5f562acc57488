# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot timeline "$GOLDEN/timeline.csv" --title "a morning" -o figure.gp && cat figure.gp
