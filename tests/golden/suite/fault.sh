# A kernel that goes wrong: what the engine found is what is told and kept. MT's limit of instructions stands for any
# fault.
mkdir bin bin/workloads
cp "$WARPSCAPE" bin/
folder=$(dirname "$WARPSCAPE")/workloads
ln -s "$folder"/MM "$folder"/PR bin/workloads/
printf '#!/bin/sh\nWARPSCAPE_MAX_INSTRUCTIONS=1 exec %s --scale small\n' "$folder/MT" > bin/workloads/MT
chmod +x bin/workloads/MT
bin/warpscape suite run --scale tiny --db x.db MT PR 2>log
status=$?
sed 's/[0-9.]* s$/TIME s/' log >&2
exit $status
