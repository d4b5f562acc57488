# Two chips under every protocol that goes with several (those with one race detector do not): loads find what the
# protocol promises, and the link carries what is not at home.
# heavy: simulates under every protocol; test_sim_laws and test_chips go through the same code
$WARPSCAPE suite run --scale tiny --trace . -d s.db HY MT 2>/dev/null
protocols=$($WARPSCAPE sim --protocol elephant HY.wst 2>&1 | sed -n 's/.*expected one of none, //p' | tr -d , |
    tr ' ' '\n' | grep -v '^drd')
check() { # check TRACE HOME: every protocol
    for protocol in $protocols; do
        $WARPSCAPE sim --config two-chips --protocol $protocol --set package.home=$2 --check $1.wst >sim.csv \
            2>errors || cat errors
        grep -q '^# checked loads: [1-9]' sim.csv && echo "$1 $2 $protocol: checked"
    done
}
cross() { # cross TRACE HOME: plain caches
    $WARPSCAPE sim --config two-chips --protocol none --set package.home=$2 --activity a.csv $1.wst >/dev/null
    awk -F, -v what="$1 $2" '$4 == "network" && $6 == "packets" { n[$5] += $10 }
        END { print what ": " (n["request_link"] > 0 ? "some" : "no") " requests cross the link, and " \
              (n["request_link"] == n["reply_link"] ? "as many" : "not as many") " answers" }' a.csv
}
check HY first-touch
check MT interleave
for name in HY MT; do
    for home in first-touch interleave; do cross $name $home; done
done
$WARPSCAPE sim --config two-chips --set link.queue=0 HY.wst 2>&1 | sed "s|$TOP|TOP|"
$WARPSCAPE sim --config two-chips --set "package.page=100 bytes" HY.wst 2>&1 | sed "s|$TOP|TOP|"
$WARPSCAPE sim --config two-chips --set network.width=4 HY.wst 2>&1 | sed "s|$TOP|TOP|"
# What predicts without time takes pages that go round; closed forms know one chip.
$WARPSCAPE verify -t 2 -c two-chips MT.wst 2>&1 | tail -n 1
sed 's/home = first-touch/home = interleave/' "$TOP/data/configs/two-chips.ini" >round.ini
WARPSCAPE_DATA=$TOP/data $WARPSCAPE verify -t 2 -c ./round.ini MT.wst 2>&1 >/dev/null | tail -n 1
$WARPSCAPE verify -t 1 -c two-chips MT.wst 2>&1 | tail -n 1
