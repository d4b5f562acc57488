# Frames, rounded: temperatures come from a library's eigenvectors. One run, means with intervals, any number of
# workers.
quick='--set loop.fine=60s --set loop.coarse=600s --set activity.stall_length=120s'
short() { awk 'BEGIN { FS = OFS = "," } /^#/ { if (!/^# (command|tool|column)/) print; next }
    { for (i = 4; i <= NF; i++) if ($i + 0 == $i) $i = sprintf("%.5g", $i); print }'; }
"$WARPSCAPE" model chameleon $quick --supply LpHv --workload MM | short
"$WARPSCAPE" model chameleon $quick --supply LpHv --supply hplv --workload all --per supply --policy chameleon \
    --policy threshold \
    --base threshold --seeds 3 --seed 7 -j 1 >one.csv
short <one.csv
"$WARPSCAPE" model chameleon $quick --supply LpHv --supply hplv --workload all --per supply --policy chameleon \
    --policy threshold \
    --base threshold --seeds 3 --seed 7 -j 3 >three.csv
grep -v '^# command' one.csv >one
grep -v '^# command' three.csv | cmp one - && echo 'the same'
"$WARPSCAPE" model chameleon $quick --per policy --policy energy --days 2 | short
"$WARPSCAPE" model chameleon $quick --supply LpLv --workload HY --policy threshold --set battery.capacity=0 \
    --lifetime solder --set mode.saver.level=3 2>&1 | short
