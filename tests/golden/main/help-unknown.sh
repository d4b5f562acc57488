$WARPSCAPE help elephant
