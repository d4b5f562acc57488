"$WARPSCAPE" summary --help
