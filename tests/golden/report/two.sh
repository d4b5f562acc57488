# Two workloads of one kernel each make no map, and a page all the same.
$WARPSCAPE suite run --scale tiny MM MT 2>/dev/null && $WARPSCAPE report -o report && ls report
