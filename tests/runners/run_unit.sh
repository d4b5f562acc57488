#!/usr/bin/env bash
# Runs cmocka programs two at a time; shows what fails and, last, "NAME: N passed, N failed" (cases, not programs). A
# program that has not ended after STALL_SECONDS (600; seconds are what it takes) hangs, and is ended: where it stood is
# shown, and it runs once more. If it hangs again it fails, else a note tells of it.
# usage: [STALL_SECONDS=N] [UNIT_ARGUMENTS=--more] run_unit.sh NAME PROGRAM...
set -u
name=$1
shift
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export results stall=${STALL_SECONDS:-600} arguments=${UNIT_ARGUMENTS:-}
# For the place of a program that is ended.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_abort=1 \
    TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}handle_abort=1
watched() { # watched PROGRAM LOG
    timeout --foreground --signal=ABRT --kill-after=10 "$stall" "$1" $arguments >"$2" 2>&1
}
place() { # place LOG: the case, and the innermost functions where a sanitizer tells them
    echo "$(sed -n 's/^\[ RUN  *\] //p' "$1" | tail -n 1), in $(sed -nE 's/^ *#[0-5] 0x[0-9a-f]+ in ([^ ]+) .*/\1/p' \
        "$1" | paste -sd ' ')"
}
one() {
    local program=$1 log passed failed status=0
    log=$results/$(basename "$program").log
    watched "$program" "$log" || status=$?
    if [ "$status" -eq 124 ]; then
        echo "note: $(basename "$program") hung: $(place "$log")"
        status=0
        watched "$program" "$log" || status=$?
    fi
    passed=$(grep -c '^\[       OK \]' "$log")
    failed=$(grep -c '^\[  FAILED  \] [a-z]' "$log")
    # A crash or a sanitizer's exit leaves no FAILED line.
    [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    [ "$status" -ne 0 ] || [ $((passed + failed)) -gt 0 ] || failed=1
    echo "$passed $failed" >"$log.count"
    if [ "$failed" -gt 0 ]; then
        echo "--- $program (exit status $status)"
        [ "$status" -ne 124 ] || echo "it hangs: $(place "$log"), after $stall s, twice"
        grep -vE '^\[ +(OK|RUN) +\]' "$log" | head -40
    fi
}
export -f one place watched
printf '%s\0' "$@" | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count 2>/dev/null | awk -v name="$name" '{ p += $1; f += $2 }
    END { printf "%s: %d passed, %d failed\n", name, p, f; exit f > 0 || p + f == 0 }'
