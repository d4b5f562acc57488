# One line each.
try() { "$WARPSCAPE" verify "$@" 2>&1 | sed -n '1{s, in /.*,,;p}'; echo "exit status ${PIPESTATUS[0]}"; }
try
try --protocol mosi x.wst
try --tier 3 x.wst
try --worst -1 x.wst
try nowhere.wst
echo 'not a trace' >text.wst
try text.wst
mkdir empty
try empty
try --config nowhere text.wst
