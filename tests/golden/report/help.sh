$WARPSCAPE help report
