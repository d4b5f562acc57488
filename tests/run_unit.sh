#!/usr/bin/env bash
# Runs cmocka programs two at a time; shows what fails and, last, "NAME: N passed, N failed" (cases, not programs). A program that
# has not ended after STALL_SECONDS (900; seconds are what it takes) hangs: it is ended, and its case and, with a sanitizer, where it stood are shown.
# usage: [STALL_SECONDS=N] run_unit.sh NAME PROGRAM...
set -u
name=$1
shift
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export results stall=${STALL_SECONDS:-900}
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_abort=1 TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}handle_abort=1
one() {
    local program=$1 log passed failed status=0
    log=$results/$(basename "$program").log
    timeout --signal=ABRT --kill-after=10 "$stall" "$program" >"$log" 2>&1 || status=$?
    passed=$(grep -c '^\[       OK \]' "$log")
    failed=$(grep -c '^\[  FAILED  \] [a-z]' "$log")
    # A crash or a sanitizer's exit leaves no FAILED line.
    [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    [ "$status" -ne 0 ] || [ $((passed + failed)) -gt 0 ] || failed=1
    echo "$passed $failed" >"$log.count"
    if [ "$failed" -gt 0 ]; then
        echo "--- $program (exit status $status)"
        [ "$status" -ne 124 ] || echo "it hangs: still $(grep '^\[ RUN ' "$log" | tail -n 1) after $stall s"
        grep -vE '^\[ +(OK|RUN) +\]' "$log" | head -40
    fi
}
export -f one
printf '%s\0' "$@" | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count 2>/dev/null | awk -v name="$name" '{ p += $1; f += $2 }
    END { printf "%s: %d passed, %d failed\n", name, p, f; exit f > 0 || p + f == 0 }'
