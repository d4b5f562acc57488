"$WARPSCAPE" explain --help
