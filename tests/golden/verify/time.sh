# Times of launches beside simulations; launches that wait for other threads are not judged.
$WARPSCAPE suite run -j 1 --scale tiny --trace . -d n.db MM SLA CUTS 2>/dev/null >/dev/null
$WARPSCAPE verify --time MM.wst SLA.wst 2>summary | grep -v '^#' | cut -d, -f1-4,8,9
sed 's/[0-9.]* %/N %/g' summary
$WARPSCAPE verify --time CUTS.wst 2>/dev/null | grep -v '^#' | cut -d, -f1-4,9 | head -n 3
$WARPSCAPE verify --time --worst 0 --median 0 MM.wst >/dev/null 2>summary
echo "exit status $?"
tail -n 1 summary
$WARPSCAPE verify --time 2>&1 | head -n 1
$WARPSCAPE verify --time --energy MM.wst 2>&1 | head -n 1
