# Two chips under every protocol: loads find what the protocol promises, and the link carries what is not at home.
$WARPSCAPE suite run --scale tiny --trace . -d s.db HY MT 2>/dev/null
protocols=$($WARPSCAPE sim --protocol elephant HY.wst 2>&1 | sed -n 's/.*expected one of none, //p' | tr -d ,)
for name in HY MT; do
    for home in first-touch interleave; do
        for protocol in $protocols; do
            $WARPSCAPE sim --config two-chips --protocol $protocol --set package.home=$home --check $name.wst >sim.csv 2>errors || cat errors
            grep -q '^# checked loads: [1-9]' sim.csv || echo "$name $home $protocol: nothing was checked"
            awk -F, '/^#/ { next } $4 != "done" && $4 != "ended" { print "not done: " $0 }' sim.csv
        done
        $WARPSCAPE sim --config two-chips --protocol none --set package.home=$home --activity a.csv $name.wst >/dev/null
        awk -F, -v what="$name $home" '$4 == "network" && $6 == "packets" { n[$5] += $10 }
            END { print what ": " (n["request_link"] > 0 ? "some" : "no") " requests cross the link, and " \
                  (n["request_link"] == n["reply_link"] ? "as many" : "not as many") " answers" }' a.csv
    done
done
$WARPSCAPE sim --config two-chips --set link.queue=0 HY.wst 2>&1 | sed "s|$TOP|TOP|"
$WARPSCAPE sim --config two-chips --set "package.page=100 bytes" HY.wst 2>&1 | sed "s|$TOP|TOP|"
$WARPSCAPE sim --config two-chips --set network.width=4 HY.wst 2>&1 | sed "s|$TOP|TOP|"
