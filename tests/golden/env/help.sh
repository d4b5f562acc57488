"$WARPSCAPE" env --help
