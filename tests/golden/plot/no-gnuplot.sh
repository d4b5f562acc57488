GNUPLOT=/nowhere/gnuplot $WARPSCAPE plot scree "$GOLDEN/suite.csv" -o scree.svg
