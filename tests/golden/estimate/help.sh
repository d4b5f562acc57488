$WARPSCAPE help estimate
