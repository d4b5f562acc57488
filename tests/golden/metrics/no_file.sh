"$WARPSCAPE" metrics
