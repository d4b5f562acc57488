"$WARPSCAPE" suite run --scale tiny --db x.db KM MT 2>/dev/null
run() { "$WARPSCAPE" sample "$@" 2>&1 >/dev/null | head -1; }
run
run --db none.db
run x.db BFS
run x.db --export numbers
run x.db --error 0
run x.db --method best
run x.db --count 3
run x.db --run 9
run x.db -o none/list.csv KM
echo text >y.db
run y.db
