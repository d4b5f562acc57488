try() { "$WARPSCAPE" runs "$@" 2>&1 | sed -n 1p; echo "status ${PIPESTATUS[0]}"; }
try
try results.db
try --remove 0
try --remove x
try --remove 1 --remove-others
try --db nowhere/x.db
