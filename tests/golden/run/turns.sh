# Warps that add to the same element without atomics: they take turns before stores, unless told otherwise; the counts
# are the same.
app=$(dirname "$WARPSCAPE")/tests/cuda/together-13
"$WARPSCAPE" run --quiet "$app"
"$WARPSCAPE" launches | cut -d, -f3-5,14-15
"$WARPSCAPE" run --quiet --turns barriers "$app" || echo "exit status $?"
"$WARPSCAPE" launches | cut -d, -f3-5,14-15
WARPSCAPE_TURNS=never "$app" 2>&1 >/dev/null || echo "exit status $?"
