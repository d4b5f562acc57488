# Definitions are there when they are asked for; readers know columns without them, and files that have them.
"$WARPSCAPE" suite run --scale tiny MM BFS HS 2>log
for set in study all performance machines; do
    "$WARPSCAPE" metrics --set $set --fractions 2>/dev/null >short || "$WARPSCAPE" metrics --set $set >short
    grep -c '^# column' short
done
"$WARPSCAPE" metrics --set study >short.csv
"$WARPSCAPE" metrics --set study --definitions >long.csv
grep -c '^# column' long.csv
for frame in short long; do
    "$WARPSCAPE" pca --subspace DV $frame.csv | grep -v '^# command' >$frame.pca
    "$WARPSCAPE" plot heatmap $frame.csv -o $frame.gp
done
cmp short.pca long.pca && cmp short.gp long.gp && echo same
