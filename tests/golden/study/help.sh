$WARPSCAPE help study
