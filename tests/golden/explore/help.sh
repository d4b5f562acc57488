$WARPSCAPE explore --help
