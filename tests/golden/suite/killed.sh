# SIGKILL: the workload dies with the run, and finished ones are in the file.
. "$TOP/tests/runners/computed.sh"
mkdir bin bin/workloads
cp "$WARPSCAPE" bin/
ln -s "$(dirname "$WARPSCAPE")"/lib bin/lib
ln -s "$(dirname "$WARPSCAPE")"/workloads/MM bin/workloads/
printf '#!/bin/sh\necho $$ > pid\nexec sleep 600\n' > bin/workloads/MT
chmod +x bin/workloads/MT
bin/warpscape suite run --scale tiny --db x.db MM MT 2>/dev/null &
run=$!
disown # no word from the shell about its end
until [ -s pid ] || ! kill -0 $run 2>/dev/null; do sleep 0.02; done
kill -KILL $run
gone "$(cat pid)"
bin/warpscape metrics --db x.db | grep -v '^#' | cut -d, -f1
