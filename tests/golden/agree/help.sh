$WARPSCAPE help agree
