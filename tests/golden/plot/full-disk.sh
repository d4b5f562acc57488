ln -s /dev/full full.svg
$WARPSCAPE plot scree "$GOLDEN/suite.csv" -o full.svg
