# Ctrl-C while a workload runs and while a figure is drawn: both end, and the same command continues. MT and gnuplot are
# stand-ins that never end.
mkdir -p bin/workloads
cp "$WARPSCAPE" bin/
export WARPSCAPE_DATA=$TOP/data # the copied program has none beside it
built=$(dirname "$WARPSCAPE")
ln -s "$built/lib" bin/lib
ln -s "$built"/workloads/{MM,PR,KM} bin/workloads/
printf '#!/bin/sh\necho $$ >pid\nexec sleep 600\n' | tee bin/workloads/MT >gnuplot
chmod +x bin/workloads/MT gnuplot
study() { # in a process group of its own, as on a terminal; interrupted when the stand-in runs
    rm -f pid
    bin/warpscape study -o d --db s.db --scale tiny --machines none --simulate none --draws 5 MM MT PR KM >log 2>&1 &
    until [ -s pid ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
    {
        kill -INT -- -$!
        wait $!
    } 2>/dev/null
    echo "status $?"
    sed 's/[0-9.]* s$/TIME s/' log
    kill -0 "$(cat pid)" 2>/dev/null && echo "the stand-in still runs"
}
set -m
study
ls d
ln -sf "$built/workloads/MT" bin/workloads/MT
GNUPLOT=./gnuplot study
[ ! -e d/index.html ] || echo "there is a page already"
bin/warpscape study -o d --db s.db --scale tiny --machines none --simulate none --draws 5 MM MT PR KM 2>&1
echo "status $?"
ls d
# What was not asked for has no rows.
for frame in machines simulated; do grep -vc '^#' d/frames/$frame.csv; done
