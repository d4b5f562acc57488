$WARPSCAPE help >one && $WARPSCAPE --help >other && cmp one other && head -n 2 one
