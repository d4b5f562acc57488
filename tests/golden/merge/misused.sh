try() { "$WARPSCAPE" merge "$@" 2>&1 | sed -n 1p; echo "status ${PIPESTATUS[0]}"; }
try
try a.db
try -o c.db
try a.db -o ''
try a.db -o c.db --prefer newest
