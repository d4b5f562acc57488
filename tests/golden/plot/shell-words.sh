# Titles and names are shown as they are, whatever gnuplot would make of them elsewhere: nothing is run.
sed -e '/^#/d' "$GOLDEN/suite.csv" | awk -F, 'NR == 2 { sub(/^[^,]*/, "`touch ran-row`") } { print }' > odd.csv
for figure in scree scores loadings dendrogram heatmap; do
    $WARPSCAPE plot $figure odd.csv --title '`touch ran-title` it'"'"'s "so" \n' -o $figure.svg && ls $figure.svg
done
ls ran-* 2>/dev/null || echo nothing ran
