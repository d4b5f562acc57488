$WARPSCAPE help >/dev/full
