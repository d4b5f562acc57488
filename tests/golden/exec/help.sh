"$WARPSCAPE" exec --help
