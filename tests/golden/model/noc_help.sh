$WARPSCAPE model noc --help
