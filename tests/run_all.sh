#!/usr/bin/env bash
# Runs the parts of tests/parts.txt that belong to the named sets or have the named names, in the order of the table,
# and sums up. The last line is "N passed, N failed". Without the slow ones, a part that has not ended after
# STALL_SECONDS (1800) hangs, and is ended.
# usage: [STALL_SECONDS=N] run_all.sh SET|PART...
set -u
cd "$(dirname "$0")/.." || exit 1
export jobs=${JOBS:-2}
table=tests/parts.txt stall=${STALL_SECONDS:-1800}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# Each part is a process group of its own in the background, so a Ctrl-C has to be handed on, and is not to be ignored
# there.
trap 'kill $(cat "$logs"/*.pid) 2>/dev/null; exit 130' INT TERM
passed=0 failed=0 broken=() side_by_side=() built=

make() { command "${MAKE:-make}" -s --no-print-directory "$@"; }
export -f make

timed() { # timed PART COMMAND: its output to PART.log, its exit status and its seconds to PART.end
    local start=$SECONDS status=0
    env --default-signal=INT,QUIT BUILT="$built" timeout --kill-after=10 "$stall" bash -c "$2" >"$logs/$1.log" \
        2>&1 </dev/null &
    echo $! >"$logs/$1.pid"
    wait $! || status=$?
    [ "$status" -ne 124 ] || echo "$1 hangs: it had not ended after $stall s" >>"$logs/$1.log"
    echo "$status $((SECONDS - start))" >"$logs/$1.end"
}

tell() { # tell PART: what came of it
    local log=$logs/$1.log status seconds line p f note
    read -r status seconds <"$logs/$1.end"
    line=$(grep -E '^[a-z0-9-]+: [0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    if [[ $line =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
    else
        p=0 f=1
    fi
    [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    if [ "$f" -gt 0 ]; then
        cat "$log"
        broken+=("$1")
    fi
    note=$(sed -n 's/^note: //p' "$log" | tail -n 1)
    printf '%-20s %5d passed %4d failed %4d s  %s\n' "$1" "$p" "$f" "$seconds" "$note"
    passed=$((passed + p)) failed=$((failed + f))
}

finish_side_by_side() { # waits for the parts that run beside one another
    local part
    wait
    for part in "${side_by_side[@]}"; do tell "$part"; done
    side_by_side=()
}

run() { # run CORES PART COMMAND
    if [ "$1" = all ]; then
        finish_side_by_side
        built=
        timed "$2" "$3"
        tell "$2"
        return
    fi
    # What is not up to date, after an installation elsewhere say, is made before: two parts would make it at the same
    # time. They need not look at headers again.
    if [ ${#side_by_side[@]} -eq 0 ] && make "-j$jobs" programs >"$logs/programs.log" 2>&1; then built=release; fi
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    timed "$2" "$3" &
    side_by_side+=("$2")
}

wanted() { # wanted SET PART: was one of them named?
    local name
    for name in "${names[@]}"; do [ "$name" != "$1" ] && [ "$name" != "$2" ] || return 0; done
    return 1
}

[ $# -gt 0 ] || { sed -n '2,/^[^#]/s/^# //p' "$0" >&2; exit 2; }
names=("$@")
for name in "${names[@]}"; do
    grep -v '^#' "$table" | awk '{ print $1; print $3 }' | grep -qxF -- "$name" ||
        { echo "run_all.sh: no row of $table has the set or the name $name" >&2; exit 2; }
done
[[ " ${names[*]} " != *" slow "* ]] || stall=0 # hours are what they take; 0: for ever
# Descriptor 3, for the parts are not to read the table.
while read -r set cores part command <&3; do
    case $set in '' | '#'*) continue ;; esac
    ! wanted "$set" "$part" || stall=$([ "$set" = slow ] && echo 0 || echo "$stall") run "$cores" "$part" "$command"
done 3<"$table"
finish_side_by_side
[ ${#broken[@]} -eq 0 ] || echo "failing: ${broken[*]}"
echo "total: $SECONDS s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
