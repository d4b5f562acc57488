"$WARPSCAPE" suite walk
