# What was not collected is NA, and a note says so.
"$WARPSCAPE" suite run --scale tiny --set study MM 2>log
"$WARPSCAPE" metrics --set modern >frame
grep -c '^# missing: .* was not measured for MM$' frame | sed 's/^[1-9].*/some families are missing/'
tail -1 frame | cut -c1-12
