# What buffers of updates keep, against simulations; requests are equal, hit rates near.
# heavy: simulates three workloads on seven machines; model/atomics.sh and test_updates go through the same code
$WARPSCAPE suite run --scale tiny --trace . HIS PRK MIS 2>/dev/null
$WARPSCAPE verify --atomics HIS.wst PRK.wst 2>summary | grep -v '^# '
echo "exit status ${PIPESTATUS[0]}"
cat summary
echo "--- machines of several chips"
$WARPSCAPE verify --atomics -c two-chiplets HIS.wst PRK.wst 2>summary | grep chip-
echo "exit status ${PIPESTATUS[0]}"
cat summary
echo "--- L1s whose size changes, that are off, that have a protocol; buffers that forget"
{ cat "$TOP/data/configs/lab-mini.ini"; printf '[atomics]\nflush = 0\n'; } |
    sed 's/^atomics = serial/atomics = lab/' >forgets.ini
for config in rtx2060-mini config1 gtsc forgets.ini; do
    $WARPSCAPE verify --atomics -c $config HIS.wst 2>summary | cut -d, -f2 | grep '^[a-z]' | uniq | tr '\n' ' '
    echo "exit status ${PIPESTATUS[0]}"
    cat summary
done
echo "--- beyond its band"
$WARPSCAPE verify --atomics --worst 0.5 MIS.wst 2>summary | grep -v '^# ' | grep '0$'
echo "exit status ${PIPESTATUS[0]}"
cat summary
for wrong in --tier=1 --energy --network --memory=x.db --divergence --sharing --median=1; do
    $WARPSCAPE verify --atomics $wrong HIS.wst 2>&1 | sed -n 1p
    echo "exit status ${PIPESTATUS[0]}"
done
$WARPSCAPE verify --atomics 2>&1 | sed -n 1p
