$WARPSCAPE model divergence --help
