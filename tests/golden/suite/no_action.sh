"$WARPSCAPE" suite
