# Bytes by kind add up to all; what goes in at one end comes out at the other; both are what the row of the run says.
$WARPSCAPE suite run --scale tiny --trace . -d s.db BFS LIB 2>/dev/null
for name in BFS LIB; do
    $WARPSCAPE sim --config baseline --traffic traffic.csv $name.wst >sim.csv
    awk -F, '/^#/ { next } $1 == "workload" { next }
        { end = $3 ~ /^sm/ ? "SMs" : "L2"; sum[$5, end, $4 == "all" ? "all" : "kinds"] += $9; kinds[$4] = 1;
            wide += $8 != 10000 }
        END {
            for (d = 1; d <= 2; d++) {
                way = d == 1 ? "request" : "reply"
                print way, sum[way, "SMs", "all"], sum[way, "SMs", "kinds"], sum[way, "L2", "all"], sum[way, "L2",
                    "kinds"]
            }
            print "frames that are not whole: " (wide > 0 ? "the last" : "none")
            for (k in kinds) print k | "sort"
        }' traffic.csv
    grep -v '^#' sim.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $2 == "total" || $3 == 1 { said = $at["noc_request_bytes"] " " $at["noc_reply_bytes"] }
            END { print "said " said }'
done
$WARPSCAPE sim --config baseline --launch 2 --traffic one.csv BFS.wst >one-sim.csv
sed -n '/^BFS/p' one.csv | cut -d , -f 2 | sort -u
sed '/^# command/d; 14,$d' traffic.csv
$WARPSCAPE sim --suite --traffic x.csv 2>&1 | head -n 1
$WARPSCAPE sim --traffic nowhere/x.csv BFS.wst 2>&1 >/dev/null
