# A sweep on a cluster that is none, or that cannot be understood.
printf '%s\n' '[plan]' 'command = sim --config gtsc-mini --suite {workload}' 'time = 200 s' 'memory = 500 MB' '[axes]' \
    'workload = MM MT HS' >p.ini
sweep() {
    $WARPSCAPE sweep p.ini "$@" 2>&1 |
        sed "s|$PWD|HERE|g; s/ws-p-[0-9a-f]*/NAME/g; s|$(realpath "$WARPSCAPE")|PROGRAM|"
}
echo '--- no Slurm here'
(PATH=/nowhere && exec "$WARPSCAPE" sweep p.ini --on slurm -o none 2>&1)

mkdir bin
printf '%s\n' '#!/bin/sh' 'cat queue' >bin/squeue
chmod +x bin/squeue
PATH=$PWD/bin:$PATH
echo '--- what squeue prints is not understood'
echo '1|0|RUNNING' >queue
sweep --on slurm -o odd
echo '--- squeue fails'
rm queue
sweep --on slurm -o odd
sweep --program x
