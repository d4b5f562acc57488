# Closed forms of networks against the networks, with patterns and with a trace; a band of nothing is missed.
# heavy: simulates patterns on networks; model/noc.sh and test_noc go through the same code
$WARPSCAPE verify --network -c photonic-mwsr 2>summary | grep -v '^# ' | cut -d, -f1-5,9,10
cut -d';' -f1 summary
$WARPSCAPE suite run --scale tiny --trace . KM 2>/dev/null
$WARPSCAPE verify --network -c photonic-swmr KM.wst 2>summary | grep '^KM' | cut -d, -f1-4,10
cut -d';' -f1 summary | sed 's/ [0-9.]* %/ N %/g'
$WARPSCAPE verify --network -c photonic-swmr --worst 0 --median 0 >/dev/null 2>summary
echo "exit status $?"
tail -n 1 summary
$WARPSCAPE verify --network -c two-chips 2>&1
for wrong in --tier=1 --protocol=bl --energy; do
    $WARPSCAPE verify --network $wrong 2>&1 | sed -n 1p
    echo "exit status ${PIPESTATUS[0]}"
done
