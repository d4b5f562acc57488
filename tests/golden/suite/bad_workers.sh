"$WARPSCAPE" suite run -j 0
