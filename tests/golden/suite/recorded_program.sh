# A program of one's own, here a workload run by hand, records itself under its name when the environment says so.
WARPSCAPE_DB=x.db WARPSCAPE_SET=study "$(dirname "$WARPSCAPE")"/workloads/MT --scale tiny
"$WARPSCAPE" metrics --set study --db x.db --per kernel | grep -v '^#' | cut -d, -f1,2
WARPSCAPE_DB=x.db WARPSCAPE_WORKERS=many "$(dirname "$WARPSCAPE")"/workloads/MT --scale tiny
