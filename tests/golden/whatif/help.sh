$WARPSCAPE what-if --help
