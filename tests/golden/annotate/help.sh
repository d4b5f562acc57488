"$WARPSCAPE" annotate --help
