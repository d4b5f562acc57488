# A file that cannot grow: one line a workload, a failure at the end, and what was finished before is still there.
"$WARPSCAPE" suite run --scale tiny --db x.db MM 2>/dev/null
(ulimit -f 200; "$WARPSCAPE" suite run --scale tiny --db x.db BFS NW KM PR 2>log)
echo "exit status $?"
grep -c 'warpscape suite: ' log
grep -q 'x.db: ' log && echo "the file is named"
"$WARPSCAPE" metrics --db x.db | grep -v '^#' | cut -d, -f1 | grep MM
