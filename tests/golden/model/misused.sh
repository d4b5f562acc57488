# One line each, exit status 2.
try() { "$WARPSCAPE" model "$@" 2>&1 | sed -n 1p; echo "exit status ${PIPESTATUS[0]}"; }
try
try weather
try coherence x.db
try coherence --protocol gtsc
try coherence --protocol bl --protocol bl
try coherence --tier 3
try coherence --clock wall
try coherence --tier 2
try coherence --tier 2 --trace x.wst --db x.db
try coherence --trace x.wst
