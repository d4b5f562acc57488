# Two columns of a panel that end with _low and _high are a band behind its lines.
$WARPSCAPE plot curves "$GOLDEN/band.csv" -o figure.gp &&
    sed -n '/^.bands/,/^EOD/p; /^ws_band/p; /^ws_name/p; /^ws_high/p' figure.gp
