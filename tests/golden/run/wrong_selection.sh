app=$(dirname "$WARPSCAPE")/programs/app
"$WARPSCAPE" run --kernels 'a(' "$app" work 1 1
"$WARPSCAPE" run --launches 5-3 "$app" work 1 1
"$WARPSCAPE" run --launches x "$app" work 1 1
