"$WARPSCAPE" metrics results.db
