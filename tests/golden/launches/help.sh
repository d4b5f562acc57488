"$WARPSCAPE" launches --help
