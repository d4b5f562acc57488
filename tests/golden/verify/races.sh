# Race detection by replay and by closed forms, against simulations: all of LU is right but what hangs on time, of BFS
# more does.
$WARPSCAPE suite run --scale tiny --trace . LU BFS 2>/dev/null
$WARPSCAPE verify --races LU.wst 2>summary
echo "exit status $?"
cat summary
echo "--- other protocols, wider bands"
$WARPSCAPE verify --races -p drd -p drd-ideal --worst 200 LU.wst 2>&1 >frame
echo "exit status $?"
grep -E 'expired|energy' frame
echo "--- beyond its band"
$WARPSCAPE verify --races BFS.wst 2>/dev/null | grep '0$'
for wrong in --tier=1 --energy --network --memory=x.db --divergence --sharing --median=1 --protocol=mesi; do
    $WARPSCAPE verify --races $wrong LU.wst 2>&1 | sed -n 1p
    echo "exit status ${PIPESTATUS[0]}"
done
$WARPSCAPE verify --races 2>&1 | sed -n 1p
$WARPSCAPE verify --races -c gtsc LU.wst 2>&1
echo "exit status $?"
# Nothing is simulated for what cannot be replayed: one access after the other, a store that waits for the next one of
# its instruction would wait for ever.
sed 's/^race_queue = .*/race_store_epoch = 1/' "$TOP/data/configs/races.ini" >together.ini
$WARPSCAPE verify --races -c together.ini LU.wst 2>&1
echo "exit status $?"
