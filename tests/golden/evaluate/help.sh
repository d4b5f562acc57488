$WARPSCAPE evaluate --help
