"$WARPSCAPE" sim --help
