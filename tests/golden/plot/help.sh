$WARPSCAPE help plot
