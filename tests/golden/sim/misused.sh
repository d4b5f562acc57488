# One line each, exit status 2.
try() { "$WARPSCAPE" sim "$@" 2>&1 | sed -n 1p; echo "exit status ${PIPESTATUS[0]}"; }
try
try a b c
try a.wst --resume
try a.wst --every 5
try a.wst --checkpoint c --launch 2
try a.wst --checkpoint c --check
try a.wst --launch 0
try a.wst --launch x
try a.wst -j 0
try a.wst --max-cycles -1
try a.wst --checkpoint c --every 0
try a.wst --set l1.ways
try a.wst --set =8
