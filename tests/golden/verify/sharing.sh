# Where blocks run, what SMs share and what caches miss, against simulations; in HY time alone says where blocks run,
# and nobody judges that.
# heavy: simulates three workloads with blocks that are followed; test_sharing goes through the same code
$WARPSCAPE suite run --scale tiny --trace . HS MM HY 2>/dev/null
$WARPSCAPE verify --sharing HS.wst MM.wst 2>summary | grep -v '^# '
echo "exit status ${PIPESTATUS[0]}"
cat summary
echo "--- where time decides"
$WARPSCAPE verify --sharing HY.wst 2>summary | grep -v '^# ' | grep 'hy_pack.*NA$\|,all,'
echo "exit status ${PIPESTATUS[0]}"
cat summary
echo "--- a machine that does not follow blocks"
$WARPSCAPE verify --sharing -c gtsc MM.wst 2>summary | grep -v '^#' | cut -d, -f3- | head -4
cat summary
for wrong in --tier=1 --energy --network --memory=x.db --divergence --median=1; do
    $WARPSCAPE verify --sharing $wrong HS.wst 2>&1 | sed -n 1p
    echo "exit status ${PIPESTATUS[0]}"
done
$WARPSCAPE verify --sharing 2>&1 | sed -n 1p
