#!/usr/bin/env bash
# Do points of a sweep survive a Slurm cluster? Starts one on this host (slurm.sh: slurmctld, two slurmd, and, with
# MariaDB, accounting) in a folder of its own, and runs the same plan on it again and again: undisturbed, with a node
# that dies, a submitter that is killed, requeue, preemption, a controller that goes away, a node that lacks the program
# or has another version, a full file system, a cancelled job. Each time the frame must be that of the executor `local`.
# Without Slurm's packages nothing is checked, and a line names them.
# usage: run_cluster.sh PROGRAM [CASE...]
set -u
WARPSCAPE=$(realpath "${1:?program}")
shift
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/runners/counting.sh
. "$here/counting.sh"
# shellcheck source=tests/runners/slurm.sh
. "$here/slurm.sh"
[ $# -gt 0 ] || set -- whole node submitter requeue preemption controller missing_program other_version full cancelled \
    memory checkpoint

ends_here() { # ends_here FAILED WHY
    echo "note: $2, so nothing ran on a cluster"
    echo "cluster: 0 passed, $1 failed"
    exit "$1"
}
lacking=$(slurm_missing)
[ -z "$lacking" ] || ends_here 0 "$lacking not installed (make deps-more)"
work=$(mktemp -d)
trap 'slurm_stop; cd /; umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1
slurm_begin "$work/slurm" || ends_here 1 "$slurm_why"
accounting=yes
slurm_account || { accounting='' && echo "note: $slurm_why: without accounting (sacct)"; }
slurm_start 2 MaxArraySize=6 PreemptType=preempt/partition_prio PreemptMode=REQUEUE \
    "PartitionName=urgent Nodes=ALL PriorityTier=10 State=UP" || ends_here 1 "$slurm_why"

# ---------------------------------------------------------------------------------------------- the plans

cat >study.ini <<'PLAN'
[plan]
command = sim --config gtsc --protocol {protocol} {program}
time = 5 min                     ; so that each point is a task
memory = 100 MB
[axes]
protocol = tc-strong gtsc-rc
[axis program]
BP = --suite BP --scale small
KM = --suite KM --scale tiny
GS = --suite GS --scale tiny
LU = --suite LU --scale tiny
HS = --suite HS --scale tiny
PLAN
points=10
cat >kept.ini <<'PLAN'
[points traces]
command = suite run --scale small --db {db} --trace {trace} {program}
program = BP
files = trace
rows = none
[points sims]
command = sim --config gtsc-mini {traces.trace}/{program}.wst
checkpoint = 2000 cycles
time = 5 min
PLAN
frame() { "$WARPSCAPE" sweep "$1" -o "$2" --frame 2>/dev/null | grep -v '^# command'; }
local_sweep() { # local_sweep NAME: what all others are compared with
    "$WARPSCAPE" sweep "$1.ini" -o "$1.local" && frame "$1.ini" "$1.local" >"$1.csv"
}
same() { # same NAME FOLDER
    diff <(frame "$1.ini" "$2") "$1.csv" || { tail -n 20 "$2.said" "$2/slurm/log"; false; }
}

# ---------------------------------------------------------------------------------------------- steps

# begin NAME FOLDER [OPTION...]: a sweep in the background; its number is in $sweep.
begin() {
    local name=$1 folder=$2
    shift 2
    "$WARPSCAPE" sweep "$name.ini" -o "$folder" --on slurm "$@" >/dev/null 2>"$folder.said" </dev/null &
    sweep=$!
}
ends() { # ends WHAT STATUS FOLDER: checks how the sweep ends
    local status=0 job reason
    while kill -0 "$sweep" 2>/dev/null; do
        # What was requeued would wait for two minutes.
        squeue -h -r -t pending -o '%A %r' 2>/dev/null | while read -r job reason; do
            [ "$reason" != BeginTime ] || scontrol update JobId="$job" StartTime=now
        done
        sleep 0.5
    done
    wait "$sweep" || status=$?
    check "$1" ended "$status" "$2" "$3"
}
ended() { [ "$1" -eq "$2" ] || { echo "exit status $1 instead of $2"; tail -n 20 "$3.said" "$3/slurm/log"; false; }; }
done_in() { find "$1/points" -mindepth 2 -maxdepth 2 -name status 2>/dev/null | wc -l; }
arrays() { find "$1/slurm" -mindepth 1 -maxdepth 1 -type d | wc -l; }
some_done() { [ "$(done_in "$1")" -ge "$2" ]; }
running_on() { [ -n "$(squeue -h -t running -w "$1")" ]; }
empty_queue() { [ -z "$(squeue -h)" ]; }
said() { grep -qF -- "$2" "$1.said" || { echo "$1 does not say: $2"; tail -n 20 "$1.said"; false; }; }
task_of() { squeue -h -t running -o '%F_%K' | head -n 1; }

# ---------------------------------------------------------------------------------------------- the cases

case_whole() {
    begin study whole
    ends 'a plan on two nodes' 0 whole
    check 'its frame' same study whole
    check 'arrays of no more than the cluster takes' largest_array whole 6
    check 'a sweep that is done submits nothing' submits_nothing study whole
    [ -z "$accounting" ] ||
        check 'accounting has all tasks as completed' slurm_wait 'all are completed' all_completed whole "$points"
    begin study throttled --jobs 1
    slurm_wait 'a task runs' running_on n1,n2
    check 'one at a time with --jobs 1' at_most_running 1
    ends 'a plan with --jobs 1' 0 throttled
    check 'its frame' same study throttled
}
largest_array() { [ "$(cat "$1"/slurm/*/job | sed -n 's/^tasks = //p' | sort -n | tail -n 1)" -le "$2" ]; }
submits_nothing() {
    local before
    before=$(arrays "$2")
    "$WARPSCAPE" sweep "$1.ini" -o "$2" --on slurm 2>&1 && [ "$(arrays "$2")" -eq "$before" ]
}
all_completed() { # all_completed FOLDER TASKS
    local jobs
    jobs=$(sed -n 's/^job = //p' "$1"/slurm/*/job | paste -sd,)
    [ "$(sacct -n -P -X --jobs="$jobs" -o JobID,State | grep -c '|COMPLETED$')" -eq "$2" ]
}
at_most_running() {
    while kill -0 "$sweep" 2>/dev/null; do
        [ "$(squeue -h -r -t running | wc -l)" -le "$1" ] || return 1
        sleep 0.3
    done
}

case_node() {
    begin study node
    slurm_wait 'points are done, and n1 has a task' eval 'some_done node 1 && running_on n1'
    slurm_kill_node n1
    ends 'a plan when a node dies in the middle of an array' 0 node
    check 'its frame' same study node
    slurm_start_node n1
    slurm_wait 'the nodes are idle' slurm_idle 2
}

case_submitter() {
    local before
    begin study submitter
    slurm_wait 'a point is done' some_done submitter 1
    kill -KILL "$sweep"
    wait "$sweep" 2>/dev/null
    rm -f submitter/slurm/0001/job # as if it had been killed a moment earlier
    before=$(arrays submitter)
    begin study submitter
    ends 'a plan whose submitter was killed' 0 submitter
    check 'its frame' same study submitter
    check 'tasks in the queue are found again, and not submitted twice' arrays_of_all submitter "$before"
    begin study interrupted
    slurm_wait 'a point is done' some_done interrupted 1
    kill -INT "$sweep"
    ends 'Ctrl-C ends it' 130 interrupted
    check 'and it says how to go on' said interrupted 'are with Slurm and go on'
    begin study interrupted
    ends 'a plan that was interrupted' 0 interrupted
    check 'its frame' same study interrupted
}
# The same number of arrays, or those that were not submitted then, but no point in two of them.
arrays_of_all() { [ "$(cat "$1"/slurm/*/*.points | sort | uniq -d | wc -l)" -eq 0 ] && [ "$(arrays "$1")" -ge "$2" ]; }

case_requeue() {
    begin study requeue
    slurm_wait 'a task runs' eval '[ -n "$(task_of)" ]'
    scontrol requeue "$(task_of)"
    ends 'a plan with a task that is requeued' 0 requeue
    check 'its frame' same study requeue
}

case_preemption() {
    begin study preempted
    slurm_wait 'a point is done' some_done preempted 1
    slurm_wait 'a task runs' running_on n1,n2
    sbatch --parsable -p urgent -N2 --exclusive -o /dev/null --wrap 'sleep 2' >/dev/null
    ends 'a plan that is preempted' 0 preempted
    check 'its frame' same study preempted
}

case_controller() {
    begin study controller
    slurm_wait 'a point is done' some_done controller 1
    kill "$(cat "$CLUSTER_FOLDER/slurmctld.pid")" # it keeps its state
    sleep 3
    slurmctld -f "$SLURM_CONF" >>"$CLUSTER_FOLDER/started" 2>&1
    ends 'a plan whose controller goes away and comes back' 0 controller
    check 'its frame' same study controller
}

on_node() { # on_node COMMAND: what n2 runs instead of the program
    printf '#!/bin/sh\n[ "$SLURMD_NODENAME" != n2 ] || exec %s "$@"\nexec %s "$@"\n' "$1" "$WARPSCAPE" >on_node.sh
    chmod +x on_node.sh
}
case_missing_program() {
    on_node "$work/nowhere/warpscape"
    begin study missing --program "$work/on_node.sh"
    ends 'a plan where a node lacks the program' 0 missing
    check 'its frame' same study missing
    check 'the node is named' said missing 'FAILED on n2'
    check 'and the program' said missing "$work/nowhere/warpscape"
}
case_other_version() {
    local version
    version=$("$WARPSCAPE" --version | sed -n '1s/.* //p')
    sed "s/$version/${version//[0-9]/9}/g" "$WARPSCAPE" >other && chmod +x other
    on_node "env WARPSCAPE_DATA=${WARPSCAPE_DATA:-$here/../../data} $work/other"
    begin study version --program "$work/on_node.sh"
    ends 'a plan where a node has another version' 0 version
    check 'its frame' same study version
    check 'the node is named' said version 'FAILED on n2'
    check 'and the version' said version "version of warpscape (${version//[0-9]/9} here)"
}

# A file system of its own where that can be mounted; else a limit on files, which tasks inherit.
case_full() {
    mkdir -p small
    if mount -t tmpfs -o size=200k none small 2>/dev/null; then
        begin study small/sweep
        ends 'a plan on a full file system ends' 1 small/sweep
        check 'and says so' said small/sweep 'No space left on device'
        mount -o remount,size=50m none small
    else
        mkdir -p small/sweep
        (ulimit -f 1 && exec "$WARPSCAPE" sweep study.ini -o small/sweep --on slurm) >/dev/null 2>small/sweep.said \
            </dev/null &
        sweep=$!
        ends 'a plan whose files are too large ends' 1 small/sweep
    fi
    slurm_wait 'the queue is empty' empty_queue
    begin study small/sweep
    ends 'the same plan, with room' 0 small/sweep
    check 'its frame' same study small/sweep
}

case_cancelled() {
    begin study cancelled
    slurm_wait 'a task runs' running_on n1,n2
    scancel --name="$(squeue -h -o %j | head -n 1)"
    ends 'a plan whose job was cancelled ends' 1 cancelled
    check 'and says so' said cancelled 'were cancelled'
    begin study cancelled
    ends 'the same plan once more' 0 cancelled
    check 'its frame' same study cancelled
}

case_memory() { # more than any node has
    sed 's/^memory = .*/memory = 64 GB/' study.ini >large.ini
    begin large large
    ends 'a point that no node has memory for' 1 large
    check 'is said to be refused' said large 'Slurm refuses a task'
}

case_checkpoint() {
    check 'the plan with checkpoints on this machine' local_sweep kept
    begin kept kept
    slurm_wait 'there is a checkpoint' eval 'ls kept/points/*.checkpoint'
    scontrol requeue "$(task_of)"
    ends 'a plan with checkpoints, requeued' 0 kept
    check 'its frame' same kept kept
    check 'no checkpoint is left' eval '! ls kept/points/*.checkpoint'
}

check 'the plan on this machine' local_sweep study || { echo "cluster: $passed passed, $failed failed"; exit 1; }
for name; do
    "case_$name"
    slurm_wait 'the queue is empty' empty_queue || scancel --user="$(id -un)"
done
echo "cluster: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
