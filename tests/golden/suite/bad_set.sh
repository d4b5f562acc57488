"$WARPSCAPE" suite run --set old
