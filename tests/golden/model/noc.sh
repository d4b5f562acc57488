# Networks of light beside a mesh: patterns, widths, a simulation's traffic, profiles; numbers to four digits.
short() { grep -v '^# [tc]' | awk -F, -v OFS=, '{ for (i = 5; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) $i = sprintf("%.4g", $i * $i < 1e-18 ? 0 : $i); print }'; }
pick() { awk -F, -v OFS=, -v names="$1" 'BEGIN { n = split(names, name, " ") } /^#/ { next }
    !header++ { for (i = 1; i <= NF; i++) at[$i] = i }
    { line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? "," : "") $at[name[i]]; print line }'; }
echo 'units'
$WARPSCAPE model noc --load 1 | grep '^# column'
echo 'widths'
$WARPSCAPE model noc -n mwsr -n swmr --channel 16 --channel 32 --channel 64 --load 20 | short
echo 'a sweep'
$WARPSCAPE model noc --pattern uniform -n swmr | short |
    pick 'workload network channel role load request reply request_busiest saturation request_change reply_change'
echo 'beyond saturation'
$WARPSCAPE model noc --load 1000 | short | grep -v '^#'
$WARPSCAPE model noc --load 1000 | grep '^# beyond'
echo 'other machines'
$WARPSCAPE model noc -c photonic-electrical -n mwsr --set network.cluster=4 --set network.loop=10 --load 20 | short |
    pick 'network channel role request reply watts'
$WARPSCAPE model noc -c qv100 --load 100 | short | pick 'network channel role request reply watts'
$WARPSCAPE model noc -c baseline -n bus -n crossbar --load 2 | short |
    pick 'network channel role request_idle request reply_idle reply'
echo 'traffic of a simulation, profiles'
$WARPSCAPE suite run --scale tiny --trace . --profile -d p.db MT LU 2>/dev/null
$WARPSCAPE sim --config photonic-swmr --traffic traffic.csv LU.wst >/dev/null
$WARPSCAPE model noc -c photonic-swmr -n mwsr -n swmr --traffic traffic.csv | short |
    pick 'workload network channel role request reply beyond request_change reply_change'
$WARPSCAPE model noc -d p.db -n mwsr -n swmr | short |
    pick 'workload network channel role request reply request_change reply_change'
# Bytes of the frame are the load.
bytes=$(awk -F, '/^#/ || !n++ { next } $4 == "all" && $3 ~ (($5 == "request") ? "^cluster" : "^l2") { b += $9;
    if ($7 + $8 > t) t = $7 + $8 } END { printf "%.3f", b / t }' traffic.csv)
$WARPSCAPE model noc -c photonic-swmr --traffic traffic.csv | pick load | tail -n 1 |
    awk -v b="$bytes" '{ d = $1 / b - 1;
    print (d < 0.03 && d > -0.03 ? "the load is what was carried" : "the load is " $1 ", carried was " b) }'
