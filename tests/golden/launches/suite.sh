# Launches of the built-in workloads are listed, too; of suites, copies on the device were not kept apart.
"$WARPSCAPE" suite run --scale tiny --db x.db MT 2>/dev/null
"$WARPSCAPE" launches --db x.db
"$WARPSCAPE" launches --db x.db extra
