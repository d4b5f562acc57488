# Traces of workloads - waiting blocks, textures, many launches - give their metrics again, every column of every
# launch.
"$WARPSCAPE" suite run --scale tiny --db live.db --trace traces --values BFS HY KM 2>/dev/null
for file in traces/*.wst; do "$WARPSCAPE" replay "$file" --db replay.db -j 2; done
for db in live replay; do "$WARPSCAPE" metrics --db $db.db --per launch --set all | grep -v '^#' >$db.csv; done
wc -l <live.csv
cmp live.csv replay.csv && echo 'the same'
