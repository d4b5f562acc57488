"$WARPSCAPE" suite list BFS
