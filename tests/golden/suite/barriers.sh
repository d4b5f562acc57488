# Which workloads belong to a study of barriers, which of their sizes do not go together, and are all results right with
# one worker? What each barrier and semaphore needs is counted in tests/golden/sim/livelock.sh, and step by step in
# tests/unit/test_sync.c.
# heavy: runs barriers of many blocks; suite/sizes.sh goes through the same code
"$WARPSCAPE" suite list --barriers | cut -d, -f1-5
"$WARPSCAPE" suite list --barriers --synchronization 2>&1 | head -n 1
"$WARPSCAPE" suite run --scale tiny --barriers -j 1 -d x.db 2>&1 | sed 's/,.*//'
w=$(dirname "$WARPSCAPE")/workloads
run() { # run WORKLOAD SIZES
    "$WARPSCAPE" run -q -j 1 -n "$1:${2//,/:}" -d s.db -- "$w/$1" --scale tiny --size "$2"
}
run GBAR barrier=2,single=4
run GBAR barrier=5,blocks=8
run GBAR sms=1,blocks=1,critical=0
run GBAR barrier=3,backoff=0,sms=3,moves=0
run RWSEM sms=1,blocks=1
run RWSEM size=2,blocks=6,counts=0,writer=1,sleep=1
for barrier in 1 2 3 4 5; do run GPROG barrier=$barrier,sms=3,blocks=3; done
for graph in 0 1; do run GPROG graph=$graph,nodes=777,threads=96,elements=999; done
run GPROG elements=1,nodes=1,degree=1
"$w/GBAR" --scale tiny --size report=1,barrier=4 | sed 's/[0-9.]* cycles.*block.s time/N cycles/'
for wrong in barrier=7 backoff=1000 sms=0; do "$w/GBAR" --scale tiny --size $wrong 2>&1 | head -n 1; done
for wrong in form=5 size=0 backoff=6; do "$w/RWSEM" --scale tiny --size $wrong 2>&1 | head -n 1; done
for wrong in barrier=0 program=6; do "$w/GPROG" --scale tiny --size $wrong 2>&1 | head -n 1; done
"$w/GBAR" --scale tiny --size barrier=2,sms=64,blocks=32 2>&1 | head -n 1
true
