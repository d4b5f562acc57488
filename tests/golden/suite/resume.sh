# --resume leaves out what is done at the same scale and seed, and with or without --pages, and nothing else.
run() { "$WARPSCAPE" suite run --scale tiny "$@" 2>&1 | sed 's/[0-9.]* s$/TIME s/'; }
run MM
run --resume MM MT
run --resume --seed 2 MT
run --resume --pages MM
run --resume --pages MM
"$WARPSCAPE" runs | cut -d, -f1,2,10
