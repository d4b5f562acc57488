"$WARPSCAPE" model --help
