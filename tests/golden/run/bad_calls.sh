# What a program does wrong is its own affair: CUDA's code, one line of ours, and the launches that were right.
app=$(dirname "$WARPSCAPE")/programs/app
"$WARPSCAPE" run "$app" work 1 1 badgrid freetwice 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; s/(app\.c:[0-9]*)/(line)/g'
"$WARPSCAPE" run "$app" work 1 1 outside 2>&1
"$WARPSCAPE" launches | cut -d, -f1-3
