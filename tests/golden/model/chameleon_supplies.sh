# Two supplies: figures of each, and of both: their values as the frame has them, and the mean.
"$WARPSCAPE" model chameleon --set loop.fine=60s --set loop.coarse=600s --set activity.stall_length=120s \
    --supply LpHv --supply HpLv --workload MM --policy energy --days 1 -o drawn >frame.csv
ls drawn/frames
awk -F, '/^#/ { next }
    !(FILENAME in columns) { columns[FILENAME]; for (i = 1; i <= NF; i++) if ($i == "regret") column = i; next }
    FNR == NR { regret[$1] = $column; sum += $column; next }
    $1 in regret { print $1, $2 - regret[$1] == 0 ? "as in the frame" : $2 " instead of " regret[$1]; next }
    { print $1, ($2 - sum / 2) ^ 2 < 1e-24 ? "of both" : $2 " instead of " sum / 2 }' frame.csv \
        drawn/frames/regret-all.csv
