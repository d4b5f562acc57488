"$WARPSCAPE" launches
