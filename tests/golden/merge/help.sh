"$WARPSCAPE" merge --help
