# A workload with a wrong result is named, the others go on, and the exit status says so. The program is a stand-in.
mkdir bin bin/workloads
cp "$WARPSCAPE" bin/
ln -s "$(dirname "$WARPSCAPE")"/lib bin/lib
ln -s "$(dirname "$WARPSCAPE")"/workloads/MM "$(dirname "$WARPSCAPE")"/workloads/PR bin/workloads/
printf '#!/bin/sh\necho "MT: wrong result: transpose_naive[3] is 1 where the CPU has 2" >&2\nexit 1\n' > \
    bin/workloads/MT
chmod +x bin/workloads/MT
bin/warpscape suite run --scale tiny --db x.db MM MT PR 2>log
status=$?
sed 's/[0-9.]* s$/TIME s/' log >&2
bin/warpscape metrics --db x.db 2>/dev/null | grep -v '^#' | cut -d, -f1
exit $status
