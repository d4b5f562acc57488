# Workloads that were run as loads: levels by the model of power. More voltage and clock are more power and more
# throughput; gated cores less.
$WARPSCAPE suite run --scale tiny --profile -d c.db MM MUM BFS >/dev/null 2>&1
$WARPSCAPE model chameleon --db c.db --list |
    awk '$1 == "workload" { print $2, ($3 > 50 && $3 < 2000), ($5 > 0.1 && $5 < 512) }'
$WARPSCAPE model chameleon --db c.db --supply HpLv --policy energy --policy performance -j 1 2>&1 | grep -v '^#' |
    cut -d, -f1-3
# The power of the nominal level is that of the model at its clock and voltage.
$WARPSCAPE model power -d c.db --config renewable --set chip.core_clock=2200MHz --set chip.network_clock=2200MHz \
    --volts 1.45 >p.csv
$WARPSCAPE model chameleon --db c.db --list | awk '$1 == "workload" { print $2, $3 }' | sort |
    join - <(awk -F, '/^#/ || !n++ { next } { print $1, $7 }' p.csv | sort) |
    awk '{ d = $2 / $3 - 1; print $1, (d < 1e-4 && d > -1e-4 ? "as model power" : $2 " " $3) }'
$WARPSCAPE model chameleon --db c.db --machine gtsc --list 2>&1 | tail -n 1
