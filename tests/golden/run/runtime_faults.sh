# What a program of the runtime API does wrong has a line each, and what it launches rightly is kept: also when it ends
# in mid-kernel.
"$WARPSCAPE" run -n faults "$(dirname "$WARPSCAPE")"/tests/cuda/faults-13 2>&1 |
    grep -oE '^PASS|impossible launch|free of 0x[0-9a-f]*: not the start of [a-z]+ memory|memory is full|was forked|invalid global write|misaligned global write|trap instruction|faults: [0-9]* launches' |
    sed 's/0x[0-9a-f]*/ADDRESS/' | sort | uniq -c
"$WARPSCAPE" launches | cut -d, -f1,3 | sort | uniq -c
