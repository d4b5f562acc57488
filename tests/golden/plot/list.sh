$WARPSCAPE plot --list
