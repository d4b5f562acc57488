"$WARPSCAPE" metrics --help
