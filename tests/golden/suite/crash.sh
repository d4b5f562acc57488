# A crash is the workload's own; what others did is kept.
mkdir bin bin/workloads
cp "$WARPSCAPE" bin/
ln -s "$(dirname "$WARPSCAPE")"/lib bin/lib
ln -s "$(dirname "$WARPSCAPE")"/workloads/MM bin/workloads/
printf '#!/bin/sh\necho "about to do it" >&2\nkill -SEGV $$\n' > bin/workloads/MT
printf '#!/bin/sh\nexit 3\n' > bin/workloads/PR
chmod +x bin/workloads/MT bin/workloads/PR
bin/warpscape suite run --scale tiny --db x.db MM MT PR SLA 2>log
status=$?
sed 's/[0-9.]* s$/TIME s/; s|/[^ ]*/bin|BIN|' log >&2
bin/warpscape metrics --db x.db 2>/dev/null | grep -v '^#' | cut -d, -f1
exit $status
