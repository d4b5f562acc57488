$WARPSCAPE help stability
