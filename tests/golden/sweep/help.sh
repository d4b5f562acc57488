$WARPSCAPE help sweep
