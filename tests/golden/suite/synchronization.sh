# Which workloads belong to a study of synchronization, and how do threads meet in words of memory? Rows are run,
# kernel, lanes at the most wanted address of an atomic in global and in shared memory, in the mean, the share of the
# global ones that go to the most used address, and the share that returns the old value, which none of these needs.
# With one value in all of HIS every lane of a warp meets.
# heavy: runs thirty workloads; suite/sizes.sh and tests/runners/run_workloads.sh go through the same code
"$WARPSCAPE" suite list --synchronization | cut -d, -f1-5
"$WARPSCAPE" suite list --synchronization --sharing 2>&1 | head -n 1
"$WARPSCAPE" suite run --scale tiny --synchronization -d x.db 2>&1 | sed 's/,.*//'
w=$(dirname "$WARPSCAPE")/workloads
run() { # run WORKLOAD SIZES
    "$WARPSCAPE" run -q -n "$1:${2//,/:}" -d s.db -- "$w/$1" --scale tiny --size "$2" >log || cat log
}
for kind in 1 2 3 4 5 6; do run HIS kind=$kind; done
run HIS kind=5,bins=8192
for graph in 0 1 2 3 4; do run PRK graph=$graph; run GCL graph=$graph; run CCA graph=$graph; done
run GCL way=1
for share in 25 100; do run PRK share=$share; done
run WGR size=16
for kind in 0 1 2 3; do run HUF kind=$kind; done
for net in 0 1 2 3; do run CBW net=$net; done
"$WARPSCAPE" metrics --per kernel --set modern -d s.db | grep -v '^#' | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { printf "%s %s %.2f %.2f %.4f %d\n", $1, $at["kernel"], $at["atomic_global_passes"], $at["atomic_shared_passes"],
        $at["atomic_hot_share"], $at["atomic_returning"] }'
# A graph of one form, so many nodes and edges, and no other; ways that are too many to count are refused.
for wrong in graph=5 nodes=0 degree=65; do "$w/PRK" --scale tiny --size $wrong 2>&1 | head -n 1; done
"$w/BCE" --scale tiny --size graph=1,nodes=40000 2>&1
"$w/HIS" --scale tiny --size bins=8193 2>&1 | head -n 1
"$w/WGR" --scale tiny --size size=1024,pictures=1024 2>&1
for wrong in window=5,size=2 window=1 stride=9 pictures=1024,outputs=100,size=3; do "$w/CBW" --scale tiny \
    --size net=0,$wrong 2>&1 | head -n 1; done
true
