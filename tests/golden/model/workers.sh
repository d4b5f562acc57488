# A profile does not depend on workers, nor on whether a trace was replayed.
"$WARPSCAPE" suite run --scale tiny --profile --db one.db --trace traces -j 1 BFS NW 2>log
"$WARPSCAPE" suite run --scale tiny --profile --db three.db -j 3 BFS NW 2>log
for w in BFS NW; do "$WARPSCAPE" replay --profile --db replayed.db -j 2 traces/$w.wst; done
for db in one three replayed; do "$WARPSCAPE" model coherence --db $db.db | grep -v '^# command' >$db.csv; done
wc -l <one.csv
cmp one.csv three.csv && cmp one.csv replayed.csv && echo 'the same'
