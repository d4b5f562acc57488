# Walks through caches against simulations: order is judged, speedups are told.
$WARPSCAPE suite run --scale tiny --trace . ATAX 2DC 2>/dev/null
$WARPSCAPE verify --divergence ATAX.wst 2DC.wst 2>summary | grep -v '^# ' | cut -d, -f1-6,8,9
cat summary
for wrong in --tier=1 --energy --network --memory=x.db --worst=1 --median=1; do
    $WARPSCAPE verify --divergence $wrong ATAX.wst 2>&1 | sed -n 1p
    echo "exit status ${PIPESTATUS[0]}"
done
$WARPSCAPE verify --divergence -c gtsc ATAX.wst 2>&1
echo "exit status $?"
$WARPSCAPE verify --divergence 2>&1 | sed -n 1p
