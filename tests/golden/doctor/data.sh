WARPSCAPE_DATA=/no/data "$WARPSCAPE" doctor 2>/dev/null | grep 'machine files'
"$WARPSCAPE" doctor now
