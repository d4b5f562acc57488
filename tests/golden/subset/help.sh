$WARPSCAPE subset --help
