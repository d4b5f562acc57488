# One line each, exit status 2; 1 for files.
try() { "$WARPSCAPE" replay "$@" 2>&1 | sed -n 1p; echo "exit status ${PIPESTATUS[0]}"; }
try
try a b
try a --set all
try a --partial
try a --profile
try a -j 2
echo 'no trace' >text.wst
try text.wst
try absent.wst
try .
