#!/usr/bin/env bash
# Does what was measured survive? Kills, snapshots, several writers without flock, and flipped bits.
#   kills      a command is killed with SIGKILL at random instants over its whole duration, alone or with all that it
#              started; then it is run again
#              (suite, sim, sweep, study: resumed), and its metrics and traces are those of a run that nobody disturbed
#   snapshots  a copy of the file and its log, taken while the writers are stopped, opens, and what it has are the first
#              launches, whole
#   writers    six processes write into one new file at once, where flock does nothing or fails
#   locks      a sweep in a folder where no file can be locked comes to the same
#   flips      one flipped bit, or a cut, in a results file or a trace: every command that reads it ends well or with
#              one line, and never gives other numbers
# The seed is an argument, so a failure can be had again; the folder of a failure is kept and named.
# usage: run_persistence.sh PROGRAM [kills|snapshots|writers|locks|flips]...
#   PERSISTENCE_ROUNDS   kills of each command, snapshots, rounds of writers; ten times as many flips (20)
#   PERSISTENCE_SECONDS  go on with further seeds until so many seconds have passed (0)
#   PERSISTENCE_SEED     the first seed (1)
set -u
program=$(realpath "${1:?program}")
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(dirname "$program")
rounds=${PERSISTENCE_ROUNDS:-20} seconds=${PERSISTENCE_SECONDS:-0} seed=${PERSISTENCE_SEED:-1}
[ $# -gt 0 ] || set -- kills snapshots writers locks flips
export LC_ALL=C.UTF-8
folder=$(mktemp -d)
cd "$folder" || exit 1
passed=0 failed=0 kept='' running=''
stop() { [ -z "$running" ] || kill -KILL -- "-$running" 2>/dev/null; }
trap 'stop; cd /; [ -n "$kept" ] || rm -rf "$folder"' EXIT

pass() { passed=$((passed + 1)); }
fail() { # fail WHAT...: files that show it are kept
    failed=$((failed + 1))
    kept=$folder/failure-$failed
    mkdir "$kept"
    find . -maxdepth 1 -type f -size -20000k -exec cp {} "$kept" \;
    echo "wrong: $* (seed $seed; files in $kept)"
}
# below N: a random number from 0 to N - 1.
below() { echo $(((RANDOM * 32768 + RANDOM) % $1)); }
now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }
numbers() { "$program" metrics --set all --per launch "$@" | grep -v '^#'; }
clear_db() { rm -f "$1" "$1-wal" "$1-shm" "$1-journal"; }

# SQLite's own opinion of a copy of the file, where its program is installed; ours is part of every command that reads
# one.
integrity() {
    command -v sqlite3 >/dev/null || return 0
    clear_db copy.db
    for end in '' -wal; do [ ! -e "$1$end" ] || cp "$1$end" "copy.db$end"; done
    [ "$(sqlite3 copy.db 'PRAGMA integrity_check' 2>&1)" = ok ]
}
# One line, or nothing said and done.
told() { # told STATUS FILE
    [ "$1" -eq 0 ] || { [ "$1" -eq 1 ] && [ "$(wc -l <"$2")" -eq 1 ]; }
}
# pause MS
pause() { sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"; }

# ------------------------------------------------------------------------------------------------ inputs

kernels=$top/tests/kernels
for i in 0 1 2 3 4 5; do
    cp "$kernels/memory_vector.ptx" "w$i.ptx"
    cp "$kernels/memory_vector.launch" "w$i.launch"
done
launch=$(grep '^launch' w0.launch)
for _ in $(seq 40); do echo "$launch"; done >>w0.launch
cat >points.ini <<'END'
[points traces]
command = suite run --scale tiny -p --db {db} --trace {trace} {workload}
workload = MM PF KM
rows = none
files = trace
[points sims]
command = sim --config gtsc --protocol {protocol} {traces.trace}/{workload}.wst
protocol = bl gtsc-rc
END

# Commands that write, by name: what is run, and run again after it was killed.
declare -A command=(
    [suite]="suite run -c tiny -p --resume -d r.db MM PF BFS KM HS LU"
    [run]="run -q -p -d r.db --trace . -n app $build/programs/app work 120 2"
    [exec]="exec w0.ptx w0.launch --db r.db --trace app.wst"
    [import]="import accelsim --db r.db -o app.wst"
    [sim]="sim LU.wst --checkpoint c.ck --every 500"
    [sweep]="sweep points.ini -o out"
    [study]="study -o out --db r.db --scale tiny --machines tiny --simulate tiny --draws 5 MM PR BFS KM"
)
# shellcheck disable=SC2086
start() { # in a process group of its own
    local resume=''
    [ "$1" != sim ] || [ ! -e c.ck ] || resume=--resume
    setsid "$program" ${command[$1]} $resume >out.txt 2>err.txt </dev/null &
    running=$!
}
fresh() { clear_db r.db; rm -rf app.wst c.ck out; }

# What came out of it.
results() {
    case $1 in
        sim) grep -v "^# command" out.txt ;;
        sweep) "$program" sweep points.ini -o out --frame | grep -v '^#' ;;
        *) numbers -d r.db ;;
    esac
}

# ------------------------------------------------------------------------------------------------ kills

undisturbed() { # undisturbed NAME: leaves its numbers and trace, and prints how long it took, in ms
    local begin
    fresh
    begin=$(now_ms)
    start "$1"
    wait "$running" || return 1
    took=$(($(now_ms) - begin))
    running=''
    results "$1" >wanted.csv
    rm -f wanted.wst
    [ ! -e app.wst ] || cp app.wst wanted.wst
    [ "$(wc -l <wanted.csv)" -gt 3 ]
}

kill_once() { # kill_once NAME ROUND ROUNDS
    local name=$1 at=$((took * $2 / $3 + $(below $((took / $3 + 1))))) status=0
    fresh
    start "$name"
    pause "$at"
    if [ $(($2 % 2)) -eq 0 ]; then kill -KILL -- "-$running"; else kill -KILL "$running"; fi 2>/dev/null
    wait "$running" 2>/dev/null
    local group=$running
    running=''
    if [ -s r.db ]; then
        integrity r.db || { fail "$name killed after $at of $took ms: not whole"; return; }
        "$program" metrics -d copy.db >partial.csv 2>err.txt || status=$?
        told $status err.txt || { fail "$name killed after $at ms: metrics of what is left: exit status $status"; \
            return; }
    fi
    status=0
    start "$name"
    wait "$running" || status=$?
    running=''
    kill -KILL -- "-$group" 2>/dev/null
    results "$name" >got.csv
    if [ $status -ne 0 ]; then fail "$name, run again after a kill at $at ms: exit status $status"
    elif ! cmp -s got.csv wanted.csv; then fail "$name killed after $at of $took ms and run again: other metrics"
    elif [ -e wanted.wst ] && ! cmp -s app.wst wanted.wst; then fail \
        "$name killed after $at ms and run again: another trace"
    elif [ -e r.db ] && ! integrity r.db; then fail "$name killed after $at ms and run again: not whole"
    else pass; fi
}

kills() {
    local name n
    for name in suite run exec import sim sweep study; do
        n=$rounds
        [ $name != study ] || n=$(((rounds + 9) / 10)) # its runs are the suite's
        if [ $name = import ] && [ ! -d accelsim ]; then
            "$program" exec w0.ptx w0.launch --trace a.wst >/dev/null && "$program" replay a.wst --accelsim accelsim
        fi
        [ $name != sim ] || "$program" suite run -c tiny --trace . -d x.db LU 2>/dev/null
        undisturbed $name || { fail "$name does not run: $(head -n 1 err.txt)"; continue; }
        for ((i = 0; i < n; i++)); do kill_once $name "$i" "$n"; done
    done
}

# ------------------------------------------------------------------------------------------------ snapshots

# All of a group are stopped.
is_stopped() {
    local p
    for p in $(ps -o pid= -g "$1" 2>/dev/null); do
        case $(sed 's/.*) //; s/ .*//' "/proc/$p/stat" 2>/dev/null) in T | Z | '') ;; *) return 1 ;; esac
    done
}

snapshot() {
    local tries=0 status=0
    kill -STOP -- "-$running" 2>/dev/null || return 1
    until is_stopped "$running" || [ $((tries++)) -gt 500 ]; do sleep 0.002; done
    clear_db s.db
    for end in '' -wal; do [ ! -e "r.db$end" ] || cp "r.db$end" "s.db$end"; done
    kill -CONT -- "-$running" 2>/dev/null
    [ -s s.db ] || return 0
    "$program" launches -d s.db >"snap-$snaps.csv" 2>err.txt || status=$?
    if ! told $status err.txt; then fail "launches of a snapshot: exit status $status"; return 0; fi
    numbers -d s.db >"snap-$snaps.numbers" 2>/dev/null
    snaps=$((snaps + 1))
}

# What a snapshot has is how the whole begins.
is_front() { [ ! -s "$1" ] || cmp -s -n "$(stat -c %s "$1")" "$1" "$2"; }

snapshots() {
    snaps=0
    local taken
    while [ "$snaps" -lt "$rounds" ]; do
        fresh
        rm -f snap-*
        taken=$snaps snaps=0
        command[many]="run -q -d r.db -n app $build/programs/app work 1500 1"
        start many
        while kill -0 "$running" 2>/dev/null && [ $((taken + snaps)) -lt $((rounds + 20)) ]; do
            pause "$(below 60)"
            snapshot || break
        done
        wait "$running" || fail "a program that was stopped now and then: exit status $?"
        running=''
        "$program" launches -d r.db >whole.csv
        numbers -d r.db >whole.numbers
        for ((i = 0; i < snaps; i++)); do
            if is_front "snap-$i.csv" whole.csv && is_front "snap-$i.numbers" whole.numbers; then
                pass
            else
                fail "snapshot $i is not how the whole begins"
            fi
        done
        [ "$snaps" -gt 0 ] || { fail "no snapshot could be taken"; break; }
        snaps=$((taken + snaps))
    done
}

# ------------------------------------------------------------------------------------------------ writers

writers() {
    local how i status
    clear_db r.db
    for i in 0 1 2 3 4 5; do "$program" exec "w$i.ptx" "w$i.launch" --db r.db >/dev/null; done
    numbers -d r.db >wanted.csv
    for ((round = 0; round < rounds; round++)); do
        how=$([ $((round % 2)) -eq 0 ] && echo fails || echo succeeds)
        clear_db r.db
        for i in 0 1 2 3 4 5; do
            NO_LOCKS=$how LD_PRELOAD=$build/tests/slow/no_locks.so "$program" exec "w$i.ptx" "w$i.launch" --db r.db \
                >/dev/null 2>"err-$i.txt" &
        done
        status=0
        for i in $(jobs -p); do wait "$i" || status=$?; done
        numbers -d r.db >got.csv
        if [ $status -ne 0 ]; then fail "six writers, flock $how: exit status $status: $(cat err-?.txt | head -n 1)"
        elif ! cmp -s got.csv wanted.csv; then fail "six writers, flock $how: other rows"
        elif ! integrity r.db; then fail "six writers, flock $how: not whole"
        else pass; fi
    done
}

# ------------------------------------------------------------------------------------------------ locks

# A sweep whose folder lies where no file can be locked.
locks() {
    local status=0
    rm -rf out
    "$program" sweep points.ini -o out 2>/dev/null
    results sweep >wanted.csv
    numbers -d out/results.db >wanted.numbers
    rm -rf out
    mkdir -p temporary
    TMPDIR=$PWD/temporary NO_LOCKS=fails NO_LOCKS_BELOW=$PWD/out LD_PRELOAD=$build/tests/slow/no_locks.so \
        "$program" sweep points.ini -o out 2>err.txt || status=$?
    results sweep >got.csv
    numbers -d out/results.db >got.numbers
    if [ $status -ne 0 ]; then fail "a sweep without locks: exit status $status: $(head -n 1 err.txt)"
    elif ! cmp -s got.csv wanted.csv || ! cmp -s got.numbers wanted.numbers; then
        fail "a sweep without locks: other rows"
    elif [ -n "$(ls -A temporary)" ]; then fail "a sweep without locks leaves temporary files"
    else pass; fi
}

# ------------------------------------------------------------------------------------------------ flips

flip() { # flip FROM TO: one bit, or, once in ten, all behind a place
    local size at byte
    size=$(stat -c %s "$1")
    at=$(below "$size")
    cp "$1" "$2"
    if [ $((RANDOM % 10)) -eq 0 ]; then
        truncate -s "$at" "$2"
        place="cut at $at"
    else
        byte=$(od -An -tu1 -j "$at" -N 1 "$1")
        place="bit $((RANDOM % 8)) of byte $at"
        byte=$((byte ^ (1 << ${place:4:1})))
        # shellcheck disable=SC2059
        printf "\\x$(printf %02x $byte)" | dd of="$2" bs=1 seek="$at" conv=notrunc status=none
    fi
}

# read_all NAME FILE: what each command that reads such a file says, numbered; the exit status of each.
# shellcheck disable=SC2034
readers_db=("metrics --set all --per launch -d" "metrics -d" "launches -d" "model coherence --db" "runs -d")
# shellcheck disable=SC2034
readers_wst=("replay" "replay --check" "replay --db x.db --set all" "sim" "replay --accelsim xa" \
    "model coherence --tier 2 --trace")
# shellcheck disable=SC2086
read_all() {
    local i=0 reader status
    local -n readers=readers_$1
    for reader in "${readers[@]}"; do
        clear_db x.db
        rm -rf xa
        status=0
        timeout -k 5 300 "$program" $reader "f.$1" >"$2-$i.out" 2>"$2-$i.err" || status=$?
        case $reader in
        *x.db*) [ $status -ne 0 ] || numbers -d x.db >"$2-$i.out" ;;
        *xa) [ $status -ne 0 ] || cat xa/* >"$2-$i.out" ;;
        # launches have checksums, the names and times of the runs that the list shows have none
        runs*) : >"$2-$i.out" ;;
        esac
        sed -i '/^# command/d' "$2-$i.out"
        echo $status >"$2-$i.status"
        i=$((i + 1))
    done
}

flips_of() { # flips_of ENDING: of good.ENDING
    local i n status
    local -n readers=readers_$1
    cp "good.$1" "f.$1"
    read_all "$1" good
    for ((i = 0; i < ${#readers[@]}; i++)); do
        [ "$(cat good-$i.status)" -eq 0 ] || fail "${readers[i]} of a good file: $(head -n 1 good-$i.err)"
    done
    for ((n = 0; n < 10 * rounds; n++)); do
        clear_db "f.$1"
        flip "good.$1" "f.$1"
        read_all "$1" bad
        for ((i = 0; i < ${#readers[@]}; i++)); do
            status=$(cat bad-$i.status)
            if [ "$status" -eq 0 ] && ! cmp -s good-$i.out bad-$i.out; then fail \
                "${readers[i]} of f.$1, $place: other numbers"
            elif ! told "$status" bad-$i.err; then fail "${readers[i]} of f.$1, $place: exit status $status: $(head \
                -n 1 bad-$i.err)"
            else pass; fi
        done
    done
}

flips() {
    clear_db r.db
    "$program" suite run -c tiny -p -d r.db MM BFS 2>/dev/null
    "$program" run -q -d r.db -n app -l 1-4 "$build/programs/app" work 60 1 >/dev/null
    cp r.db good.db
    flips_of db
    "$program" exec w1.ptx w1.launch --trace good.wst --values >/dev/null
    flips_of wst
}

# ------------------------------------------------------------------------------------------------ all

begin=$SECONDS
while :; do
    RANDOM=$seed
    for part; do "$part"; done
    [ $((SECONDS - begin)) -lt "$seconds" ] || break
    seed=$((seed + 1))
done
echo "persistence: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
