"$WARPSCAPE" replay --help
