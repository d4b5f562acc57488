$WARPSCAPE help claims
