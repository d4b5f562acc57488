# A file cut off in the middle is refused, not half read.
"$WARPSCAPE" suite run --scale tiny MM NW 2>log
truncate -s 40000 warpscape.db
"$WARPSCAPE" metrics
