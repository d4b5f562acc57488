# Cycles beside the simulator: what slower registers and shared memory change, by the closed form and cycle by cycle.
$WARPSCAPE suite run --scale tiny --profile --trace . -d p.db BFS NE PR SLA 2>/dev/null
cycles() { $WARPSCAPE sim "$@" | sed 's/"[^"]*"//g' |
    awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) if ($i == "cycles") at = i; next } { sum += $at }
    END { print sum }'; }
$WARPSCAPE model memory -d p.db --regfile stt --shared stt | awk -F, '/^#/ || !n++ { next } { print $1, $5 }' >predicted
while read -r workload change; do
    awk -v w="$workload" -v p="$change" -v a="$(cycles --config sttram-sram "$workload.wst")" \
        -v b="$(cycles --config sttram "$workload.wst")" \
        'BEGIN { d = p / (b / a) - 1; print w, (b > a && d > -0.1 && d < 0.1 ? "within 10 %" : p " for " b / a) }'
done <predicted
