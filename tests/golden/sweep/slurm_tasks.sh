# A sweep on a cluster, with commands in the place of Slurm's that run tasks at once: what is asked of sbatch, and what
# comes of its answers. tests/runners/run_cluster.sh has a real one.
# heavy: points of a task that is over are given up after seconds; unit tests read what squeue prints
printf '%s\n' '[plan]' 'command = sim --config gtsc-mini --suite {workload}' 'time = 200 s' 'memory = 500 MB' '[axes]' \
    'workload = MM MT HS' >p.ini
sweep() {
    $WARPSCAPE sweep p.ini "$@" 2>&1 |
        sed "s|$PWD|HERE|g; s/ws-p-[0-9a-f]*/NAME/g; s|$(realpath "$WARPSCAPE")|PROGRAM|"
}
files() { (cd "$1/slurm" && cat */submit) | sed "s|$PWD|HERE|g; s/ws-p-[0-9a-f]*/NAME/g"; }

mkdir bin
echo 'exit 0' >bin/scontrol
echo 'echo "Slurm accounting storage is disabled" >&2; exit 1' >bin/sacct
echo '[ ! -e queue ] || cat queue' >bin/squeue
cat >bin/sbatch <<'SH'
n=$(($(cat jobs 2>/dev/null || echo 0) + 1))
last=${*##*--array=0-} && last=${last%% *} && last=${last%%%*}
folder=${*##*--chdir=} && folder=${folder%% *}
refuse() { echo "sbatch: error: Batch job submission failed: $1" >&2; exit 1; }
case $* in *--exclude=*) refuse 'Requested node configuration is not available' ;; esac
[ "$last" -lt "$(cat most 2>/dev/null || echo 9)" ] || refuse 'Invalid job array specification'
echo $n >jobs
echo $n
[ ! -e lazy ] || { mv lazy queue; exit; }
: >queue
for task in $(seq 0 "$last"); do
    (cd "$folder" && SLURM_ARRAY_TASK_ID=$task SLURMD_NODENAME=n1 sh job.sh >"$task.log" 2>&1)
done
exit 0
SH
for name in bin/*; do
    sed -i '1i #!/bin/sh' "$name"
    chmod +x "$name"
done
PATH=$PWD/bin:$PATH

echo '--- arrays of no more than two tasks'
echo 2 >most
sweep --on slurm -o two --jobs 5
files two
cat two/slurm/*/0.log | sed "s|$PWD|HERE|"
sweep --frame -o two --columns cycles | grep -v '^#'
rm most jobs

echo '--- too little time, too little memory, a node that went away'
printf '1|0|TIMEOUT|1|n1|||None\n1|1|OUT_OF_MEMORY|1|n2|||None\n1|2|NODE_FAIL|1|n[1-2]|||None\n' >lazy
sed -i 's/200 s/400 s/' p.ini # a task a point
sweep --on slurm -o lost
files lost

echo '--- a program that no node has'
sweep --on slurm -o lacking --program 'nowhere --now'
cat lacking/slurm/0001/0.refused

