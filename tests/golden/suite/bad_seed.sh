"$WARPSCAPE" suite run --seed -1
