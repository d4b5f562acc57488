cp "$TOP"/docs/examples/protocols.* .
# The frame of a sweep of which points are missing is judged, and said to lack them; a whole one is not.
for done in 7 8; do
    sed "1a # plan: protocols, $done of 8 points" protocols.csv >frame.csv
    $WARPSCAPE claims frame.csv protocols.ini 2>&1 >/dev/null
    echo "status $?"
done
