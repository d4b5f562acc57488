"$WARPSCAPE" suite list --seed 3
