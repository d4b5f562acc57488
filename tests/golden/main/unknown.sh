$WARPSCAPE elephant
