"$WARPSCAPE" model chameleon --help
