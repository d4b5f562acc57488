#!/usr/bin/env bash
# Does SIGINT and does SIGTERM end every command, whatever it is doing? Each phase is one that does not end by itself,
# or takes minutes; what counts is the exit status and that it ends, so the bound is one that only a hang reaches. A
# file that is being written must not be left.
# usage: check_signals.sh PROGRAM [PART-OF-A-PHASE]
set -u
# Who is started in the background ignores SIGINT, and so would all that is started here.
[ "${1:-}" != --default ] && exec env --default-signal=INT,QUIT,TERM,HUP,XFSZ,PIPE bash "$0" --default "$@"
shift
WARPSCAPE=$(realpath "${1:?program}")
build=$(dirname "$WARPSCAPE")
root=$(mktemp -d)
bound_s=30
WARPSCAPE_DATA=$(realpath "$(dirname "$0")/../../data") # copies of the program lie elsewhere
export WARPSCAPE WARPSCAPE_DATA build root
trap 'rm -rf "$root"' EXIT
cd "$root" || exit 1

# ---------------------------------------------------------------------------------------------- what the phases work on
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p){ ret; }\n.visible .entry spin()\n{\nL: bra L;\n}\n' >x.ptx
echo 'launch spin grid 2 block 32' >spin.launch
mkfifo silent # nobody ever writes or reads it
printf 'buffer a u8 4000000 zero\nlaunch k args a\nprint a[0..3999999]\n' >print.launch
mkdir -p bin/workloads && cp "$WARPSCAPE" bin/ && ln -s "$build/lib" bin/lib
printf '#!/bin/sh\nexec sleep 600\n' >bin/workloads/MM
printf '#!/bin/sh\nsleep 600\n' >bin/workloads/MT # its own child holds the pipe
printf '#!/bin/sh\necho "set terminal" >&2\nsleep 600\n' >gnuplot
cat >patient.sh <<'SH'
#!/bin/bash
n=0
trap 'n=$((n + 1)); echo got >>signals' INT TERM
: >ready
while [ $n -lt "$1" ] && [ ! -e enough ]; do sleep 0.05; done
exit 7
SH
printf '#!/bin/sh\nexec sleep 600\n' >bin/squeue
printf '[plan]\ncommand = exec x.ptx spin.launch\n' >spin.ini
chmod +x bin/workloads/* bin/squeue gnuplot patient.sh
"$WARPSCAPE" suite run --scale tiny --lines --profile --trace . MM MT 2>log || { cat log; exit 1; }
frame() { # frame ROWS COLUMNS
    awk -v r="$1" -v c="$2" 'BEGIN {
        srand(1); printf "program"; for (j = 0; j < c; j++) printf ",c%d", j; print ""
        for (i = 0; i < r; i++) { printf "p%d", i; for (j = 0; j < c; j++) printf ",%.6f", rand(); print "" } }'
}
frame 1800 1800 >wide.csv
frame 12 40 >small.csv
frame 600 10 >many.csv
printf '[claim a]\nclaim = a\ndirection = all(c0 < 2)\n' >claims.ini

# ---------------------------------------------------------------------------------------------- the phases
# NAME: command, in a folder of its own with everything above in it.
phases=$(cat <<'END'
exec opens a file of PTX:       exec "$WARPSCAPE" exec <(exec sleep 600) spin.launch
exec runs a kernel:             exec "$WARPSCAPE" exec x.ptx spin.launch
exec keeps metrics and a trace: exec "$WARPSCAPE" exec --db x.db --trace x.wst x.ptx spin.launch
exec prints, nobody reads:      exec "$WARPSCAPE" exec x.ptx print.launch >silent
pca reads its standard input:   exec "$WARPSCAPE" pca - <silent
pca decomposes:                 exec "$WARPSCAPE" pca wide.csv
cluster reads:                  exec "$WARPSCAPE" cluster - <silent
cluster draws references:       exec "$WARPSCAPE" cluster --quality=q.csv --gap 100000 small.csv
subset reads:                   exec "$WARPSCAPE" subset --sizes 4 - <silent
evaluate reads:                 exec "$WARPSCAPE" evaluate - small.csv <silent
estimate reads:                 exec "$WARPSCAPE" estimate - --base small.csv --new small.csv <silent
doctor waits for gnuplot:       GNUPLOT=./gnuplot exec "$WARPSCAPE" doctor
stability draws:                exec "$WARPSCAPE" stability --draws 1000000 small.csv
agree shuffles:                 exec "$WARPSCAPE" agree --permutations 1000000 --linkage single,ward many.csv
plot waits for gnuplot:         GNUPLOT=./gnuplot exec "$WARPSCAPE" plot scree small.csv -o x.svg
report waits for gnuplot:       GNUPLOT=./gnuplot exec "$WARPSCAPE" report -o report
sim runs live:                  exec "$WARPSCAPE" sim x.ptx spin.launch
sim opens a machine:            exec "$WARPSCAPE" sim --config <(exec sleep 600) MM.wst
verify opens a machine:         exec "$WARPSCAPE" verify --config <(exec sleep 600) MM.wst
verify simulates:               exec "$WARPSCAPE" verify $(yes MM.wst | head -n 100)
model opens a machine:          exec "$WARPSCAPE" model coherence --config <(exec sleep 600)
model power replays:            exec "$WARPSCAPE" model power $(yes MM.wst | head -n 3000)
what-if simulates:              exec "$WARPSCAPE" whatif gtsc renewable --simulate $(yes MM.wst | head -n 3000)
explore simulates:              exec "$WARPSCAPE" explore gtsc --vary l1.ways=1,2,4,8 --simulate -o x.csv $(yes MM.wst | head -n 3000)
model chameleon drives a server: exec "$WARPSCAPE" model chameleon --days 300 --seeds 100
import opens a trace:           exec "$WARPSCAPE" import --db x.db <(exec sleep 600)
suite runs a workload:          exec bin/warpscape suite run --scale tiny --db x.db MM
suite, a workload with a child: exec bin/warpscape suite run --scale tiny --db x.db MT
study runs a workload:          exec bin/warpscape study --scale tiny --db x.db -o study MM MT
run waits for the folder:       mkdir held; flock held sleep 600 & sleep 0.2; exec "$WARPSCAPE" run --db held/x.db true
env waits for the folder:       mkdir held; flock held sleep 600 & sleep 0.2; exec "$WARPSCAPE" env --db held/x.db
run runs a kernel:              exec "$WARPSCAPE" run --db x.db "$build/programs/app" endless
merge reads:                    exec "$WARPSCAPE" merge $(yes warpscape.db | head -n 5000) -o merged.db
sweep runs a point:             exec "$WARPSCAPE" sweep spin.ini
sweep waits for squeue:         PATH=$PWD/bin:$PATH exec "$WARPSCAPE" sweep spin.ini --on slurm
metrics, nobody reads:          exec "$WARPSCAPE" metrics >silent
summary, nobody reads:          exec "$WARPSCAPE" summary >silent
annotate, nobody reads:         exec "$WARPSCAPE" annotate >silent
diff, nobody reads:             exec "$WARPSCAPE" diff --all warpscape.db warpscape.db --format csv >silent
explain, nobody reads:          exec "$WARPSCAPE" explain simd_efficiency >silent
launches, nobody reads:         exec "$WARPSCAPE" launches >silent
runs, nobody reads:             exec "$WARPSCAPE" runs >silent
sample, nobody reads:           exec "$WARPSCAPE" sample >silent
claims reads:                   exec "$WARPSCAPE" claims - claims.ini <silent
coverage reads:                 exec "$WARPSCAPE" coverage - small.csv <silent
replay lists, nobody reads:     exec "$WARPSCAPE" replay MM.wst >silent
model coherence, nobody reads:  exec "$WARPSCAPE" model coherence >silent
model memory, nobody reads:     exec "$WARPSCAPE" model memory >silent
model noc, nobody reads:        exec "$WARPSCAPE" model noc >silent
model sync, nobody reads:       exec "$WARPSCAPE" model sync >silent
model roofline, nobody reads:   exec "$WARPSCAPE" model roofline >silent
model time, nobody reads:       exec "$WARPSCAPE" model time >silent
model occupancy, nobody reads:  exec "$WARPSCAPE" model occupancy >silent
model races replays:            exec "$WARPSCAPE" model races $(yes MM.wst | head -n 3000)
model sharing replays:          exec "$WARPSCAPE" model sharing $(yes MM.wst | head -n 3000)
model divergence replays:       exec "$WARPSCAPE" model divergence $(yes MM.wst | head -n 3000)
model atomics replays:          exec "$WARPSCAPE" model atomics $(yes MM.wst | head -n 3000)
model chiplets replays:         exec "$WARPSCAPE" model chiplets $(yes MM.wst | head -n 3000)
END
)

# Every command and every model has a phase.
complete() {
    local name lacking=
    for name in $("$WARPSCAPE" --list-commands) $("$WARPSCAPE" model --help |
        awk '/^  [a-z]+  / { print "model " $1 }' | tr ' ' _); do
        name=${name//_/ } && [ "$name" != whatif ] || name=what-if
        grep -q "^$name\>" <<<"$phases" || lacking="$lacking $name,"
    done
    if [ -z "$lacking" ]; then
        echo passed
    else
        echo failed
        echo "wrong: no phase has$lacking and every command is to end by a signal" >&2
    fi
}
[ -n "${2:-}" ] || complete >verdict.complete 2>wrong.complete

# Waits until the process is ours, with its handlers in place, and then for what it is about: it has computed for a
# while, or sleeps and has not computed between two looks.
settled() { # settled PID
    local pid=$1 before=none ticks
    until [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = warpscape ] &&
        grep -qs '^SigCgt:.*[2367abef]$' "/proc/$pid/status"; do
        kill -0 "$pid" 2>/dev/null || return
        sleep 0.05
    done
    # shellcheck disable=SC2046 # words: the state, then numbers, of which the 11th and 12th are times
    while set -- $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) && [ $# -gt 0 ] && [ "$1" != Z ]; do
        ticks=$((${12} + ${13}))
        [ $ticks -lt 70 ] || return
        [ "$1" != S ] || [ $ticks != "$before" ] || return
        before=none
        [ "$1" != S ] || before=$ticks
        sleep 0.3
    done
}

one() { # one NUMBER NAME COMMAND SIGNAL STATUS
    local name=$2 command=$3 wanted=$5 dir=$root/case$1$4 pid status=0 ms
    mkdir "$dir" && cp -r x.ptx ./*.launch ./*.csv ./*.ini bin gnuplot MM.wst warpscape.db "$dir/" && cd "$dir" &&
        mkfifo silent || return
    case $command in # somebody holds the other end of the pipe: of a full one when it is written
    *'>silent') exec 9<>silent && head -c 65536 /dev/zero >&9 ;;
    *'<silent') exec 9<>silent ;;
    esac
    set -m # a process group of its own, where SIGINT is not ignored
    bash -c "$command" >out 2>log &
    pid=$!
    settled "$pid"
    (sleep $bound_s; kill -KILL "$pid") 2>/dev/null &
    local guard=$! begin=${EPOCHREALTIME/./}
    disown "$guard"
    kill "-$4" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null || status=$?
    ms=$(((${EPOCHREALTIME/./} - begin) / 1000))
    kill -KILL -- "-$pid" "-$guard" 2>/dev/null
    local left
    left=$(find . -name '*.tmp' -o -name x.svg)
    if [ "$status" = "$wanted" ] && [ -z "$left" ]; then
        echo "passed"
    else
        echo "failed"
        echo "wrong: $name, $4: exit status $status instead of $wanted after $ms ms${left:+, left behind: $left}" >&2
        head -n 3 log >&2
    fi
    printf '%6d ms  %s, %s\n' "$ms" "$name" "$4" >"$root/time.$1$4"
}

number=0
while IFS= read -r line; do
    number=$((number + 1)) name=${line%%:*} command=${line#*:}
    [ -z "${2:-}" ] || [[ $name == *$2* ]] || continue
    for signal in INT TERM; do
        while [ "$(jobs -r | wc -l)" -ge "${JOBS:-4}" ]; do wait -n; done
        wanted=130
        [ $signal = INT ] || wanted=143
        one $number "$name" "$(sed 's/^ *//' <<<"$command")" $signal $wanted >"verdict.$number$signal" \
            2>"wrong.$number$signal" &
    done
done <<<"$phases"
wait

# --------------------------------------------------------------------------------------------- what reaches the program
# patient.sh counts the signals that it gets, until it has as many as it is told or somebody says that it is enough.
reaches() { # reaches NAME SIGNALS-IT-IS-TO-GET KILL-COMMAND...
    local name=$1 wanted=$2 dir=$root/reach$RANDOM pid status=0 got
    shift 2
    mkdir "$dir" && cd "$dir" || return
    : >signals
    set -m
    bash -c "exec \"\$WARPSCAPE\" run -q --db x.db ../patient.sh $((wanted + 1))" >out 2>log &
    pid=$!
    set +m
    until [ -e ready ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    "$@" "$pid"
    got_signals "$wanted" "$pid"
    sleep 0.5 # one too many is seen
    : >enough
    wait "$pid" || status=$?
    got=$(wc -l <signals)
    cd "$root" || return
    if [ "$got" = "$wanted" ] && [ "$status" = 7 ]; then
        echo passed
    else
        echo failed
        echo "wrong: $name: the program got $got signals instead of $wanted, exit status $status" >&2
    fi
}
got_signals() { until [ "$(wc -l <signals)" -ge "$1" ] || ! kill -0 "$2" 2>/dev/null; do sleep 0.02; done; }
alone() { kill "-$1" "$2"; }
group() { kill "-$1" -- "-$2"; }
both() { group "$1" "$2"; got_signals 1 "$2"; alone "$1" "$2"; }
if [ -z "${2:-}" ] || [[ run\ hands == *$2* ]]; then
    reaches 'run hands on TERM that it got alone' 1 alone TERM >verdict.a 2>wrong.a
    reaches 'run hands on INT that it got alone' 1 alone INT >verdict.b 2>wrong.b
    reaches 'INT to the group comes once' 1 group INT >verdict.c 2>wrong.c
    reaches 'INT to the group, then alone' 2 both INT >verdict.d 2>wrong.d
fi

# ----------------------------------------------------------------------------------------- a limit on the size of files
limited() {
    (ulimit -f 16; "$WARPSCAPE" exec x.ptx print.launch >big 2>log)
    local status=$?
    if [ $status = 1 ] && grep -q 'File too large' log; then
        echo passed
    else
        echo failed
        echo "wrong: a limit on the size of files: exit status $status: $(cat log)" >&2
    fi
}
[ -n "${2:-}" ] || limited >verdict.limit 2>wrong.limit

cat wrong.*
passed=$(cat verdict.* | grep -c passed) failed=$(cat verdict.* | grep -c failed)
echo "note: the slowest of these took $(sort -n time.* 2>/dev/null | tail -n 1 | sed 's/^ *//')"
echo "signals: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
