# Ctrl-C ends run and workload; --resume goes on with what is left. MT is a stand-in that would take for ever.
mkdir bin bin/workloads
cp "$WARPSCAPE" bin/
ln -s "$(dirname "$WARPSCAPE")"/lib bin/lib
ln -s "$(dirname "$WARPSCAPE")"/workloads/MM bin/workloads/
printf '#!/bin/sh\necho $$ > pid\nexec sleep 600\n' > bin/workloads/MT
chmod +x bin/workloads/MT
set -m # a process group of its own, where SIGINT is not ignored
bin/warpscape suite run --scale tiny --db x.db MM MT 2>log &
until [ -s pid ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
{ # bash may tell of the job before wait does
    kill -INT $!
    wait $!
} 2>/dev/null
status=$?
kill -0 "$(cat pid)" 2>/dev/null && echo "MT still runs"
sed 's/[0-9.]* s$/TIME s/' log
ln -sf "$(dirname "$WARPSCAPE")"/workloads/MT bin/workloads/MT
bin/warpscape suite run --scale tiny --db x.db --resume MM MT 2>&1 | sed 's/[0-9.]* s$/TIME s/'
exit $status
