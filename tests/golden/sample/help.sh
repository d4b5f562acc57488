"$WARPSCAPE" sample --help
