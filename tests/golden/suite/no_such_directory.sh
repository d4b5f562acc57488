"$WARPSCAPE" suite run --scale tiny --db nowhere/x.db MM
