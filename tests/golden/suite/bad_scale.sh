"$WARPSCAPE" suite run --scale huge
