"$WARPSCAPE" diff --help
