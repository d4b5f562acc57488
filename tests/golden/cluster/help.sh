$WARPSCAPE cluster --help
