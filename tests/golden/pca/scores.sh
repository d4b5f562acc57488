# Scores with names and provenance; digits cut off where processors may differ.
$WARPSCAPE pca $GOLDEN/suite.csv | awk -F, '/^#/ || /^workload/ { print; next }
    { printf "%s", $1; for (i = 2; i <= NF; i++) printf ",%.6f", $i + 0; print "" }' | sed "s|$GOLDEN/||"
