"$WARPSCAPE" metrics --set new
