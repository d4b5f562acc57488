# A limit of instructions ends a launch; the workload reports it as the error that a driver gives for it.
WARPSCAPE_MAX_INSTRUCTIONS=1000 "$(dirname "$WARPSCAPE")"/workloads/MM --scale small
