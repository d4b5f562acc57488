"$WARPSCAPE" verify --help
