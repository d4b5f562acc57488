"$WARPSCAPE" run --help
