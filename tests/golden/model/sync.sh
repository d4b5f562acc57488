# Barriers and semaphores by closed forms: operations of the study's grids, times of a machine, what an application
# gains; times that are given, and that are measured; wrong words.
"$WARPSCAPE" model sync --latency 194 --service 1 --turn 12 --sms 80 -b 2 -b 8 -b 32 --share 90 | grep -v '^# [tc]o'
"$WARPSCAPE" model sync -c rtx2060-mini --sms 30 -s l2.latency=100 -b 4 --backoff 0 | grep '^g-srb\|^# machine'
"$WARPSCAPE" model sync -c gtsc-mini --latency 200 --service 2 --turn 4 --fence 300 --sms 68 -b 16 | grep -v '^#' |
    cut -d, -f1-3,11-16
"$WARPSCAPE" model sync --blocks 0 2>&1 | head -n 1
"$WARPSCAPE" model sync --share 101 2>&1 | head -n 1
"$WARPSCAPE" model sync 8 2>&1 | head -n 1
"$WARPSCAPE" model sync -c no-such 2>&1 | head -n 1 | sed 's/ there.*//'
"$WARPSCAPE" model sync --help
