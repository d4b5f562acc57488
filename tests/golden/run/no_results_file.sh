"$WARPSCAPE" run --db nowhere/x.db "$(dirname "$WARPSCAPE")"/programs/app work 1 1
