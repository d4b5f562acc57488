#!/usr/bin/env bash
# Runs cmocka programs two at a time; shows what fails and, last, "NAME: N passed, N failed" (cases, not programs).
# usage: run_unit.sh NAME PROGRAM...
set -u
name=$1
shift
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export results
one() {
    local program=$1 log passed failed status=0
    log=$results/$(basename "$program").log
    "$program" >"$log" 2>&1 || status=$?
    passed=$(grep -c '^\[       OK \]' "$log")
    failed=$(grep -c '^\[  FAILED  \] [a-z]' "$log")
    # A crash or a sanitizer's exit leaves no FAILED line.
    [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    [ "$status" -ne 0 ] || [ $((passed + failed)) -gt 0 ] || failed=1
    echo "$passed $failed" >"$log.count"
    if [ "$failed" -gt 0 ]; then
        echo "--- $program (exit status $status)"
        grep -vE '^\[ +(OK|RUN) +\]' "$log" | head -40
    fi
}
export -f one
printf '%s\0' "$@" | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count 2>/dev/null | awk -v name="$name" '{ p += $1; f += $2 }
    END { printf "%s: %d passed, %d failed\n", name, p, f; exit f > 0 || p + f == 0 }'
