# Two workloads are the fewest that make a map.
$WARPSCAPE suite run --scale tiny MM MT 2>/dev/null && $WARPSCAPE report -o report && ls report
