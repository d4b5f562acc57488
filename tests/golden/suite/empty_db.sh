"$WARPSCAPE" suite run --db ''
