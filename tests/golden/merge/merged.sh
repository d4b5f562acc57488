# Two machines, one workload of both: every run once, the same bytes for any order, and frames as of the files.
"$WARPSCAPE" suite run --scale tiny --db a.db MM BFS 2>/dev/null
"$WARPSCAPE" suite run --scale tiny --db b.db BFS HS 2>/dev/null
"$WARPSCAPE" suite run --scale tiny --seed 2 --db c.db HS 2>/dev/null
sha256sum [abc].db > sums
"$WARPSCAPE" merge a.db b.db -o ab.db
"$WARPSCAPE" merge b.db a.db -o ba.db
cmp ab.db ba.db && echo same
"$WARPSCAPE" merge ba.db c.db ab.db -o all.db
"$WARPSCAPE" runs --db all.db | cut -d, -f2-6,8- | sort
"$WARPSCAPE" metrics --db ab.db --per launch --set all | grep -v '^#' > merged.csv
for db in a b; do "$WARPSCAPE" metrics --db $db.db --per launch --set all | grep -v '^#'; done > parts.csv
diff <(sort -u parts.csv) <(sort merged.csv) && echo same frames
sha256sum --quiet -c sums && echo untouched
ls
sqlite3 -readonly ab.db 'select workload, metric from workload_metrics, (select count(*) > 1000 as metric from metrics) order by 1'
