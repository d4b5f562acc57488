# L2s of chiplets against simulations: operations exactly, the rest within its band.
# heavy: simulates three workloads under every policy; model/chiplets.sh and test_chiplet_l2 go through the same code
$WARPSCAPE suite run --scale tiny --trace . LU HS SRAD 2>/dev/null
$WARPSCAPE verify --chiplets LU.wst HS.wst 2>summary | grep -v '^# '
echo "exit status ${PIPESTATUS[0]}"
cat summary
echo "--- beyond its band"
$WARPSCAPE verify --chiplets -w 1 SRAD.wst 2>summary | grep '0$' | cut -d, -f1-4,8-
echo "exit status ${PIPESTATUS[0]}"
cat summary
echo "--- a trace that breaks off says so once"
head -c -2000 HS.wst >cut.wst
$WARPSCAPE verify --chiplets cut.wst 2>&1
echo "exit status $?"
echo "--- polls: reads within 5 %"
$WARPSCAPE suite run -j 1 --scale tiny --trace . RWSEM STN 2>/dev/null
for machine in two-chiplets four-chiplets; do $WARPSCAPE verify --chiplets -w 5 -c $machine RWSEM.wst STN.wst \
    2>summary | grep ',\(fetches\|requests\),'; done
echo "--- refused"
for wrong in --tier=1 --energy --network --memory=x.db --divergence --sharing --median=1 '-c gtsc' '-c four-chips'; do
    $WARPSCAPE verify --chiplets $wrong HS.wst 2>&1 | sed -n 1p
    echo "exit status ${PIPESTATUS[0]}"
done
$WARPSCAPE verify --chiplets 2>&1 | sed -n 1p
