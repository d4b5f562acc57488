"$WARPSCAPE" metrics --per block
