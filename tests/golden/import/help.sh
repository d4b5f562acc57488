"$WARPSCAPE" import --help
