# A file in which the only run failed.
WARPSCAPE_DB=empty.db WARPSCAPE_WORKLOAD=none WARPSCAPE_MAX_INSTRUCTIONS=10 \
    "$(dirname "$WARPSCAPE")/workloads/MM" --scale tiny >log 2>&1
"$WARPSCAPE" metrics --db empty.db
