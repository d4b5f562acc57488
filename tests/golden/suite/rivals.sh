# Two runs on one results file at once both succeed, and every workload is in it once.
"$WARPSCAPE" suite run --scale tiny MM NW BFS 2>one &
"$WARPSCAPE" suite run --scale tiny NW MM MT 2>two
echo "second: $?"
wait $!
echo "first: $?"
"$WARPSCAPE" metrics | grep -v '^#' | cut -d, -f1 | sort
