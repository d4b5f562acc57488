"$WARPSCAPE" help runs
