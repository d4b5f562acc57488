# All workloads compute the right result, whatever their order on the command line; case does not matter.
"$WARPSCAPE" suite run --scale tiny nw MM Bfs 2>log
status=$?
sed 's/[0-9.]* s$/TIME s/' log >&2
exit $status
