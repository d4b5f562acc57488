#!/usr/bin/env bash
# Every built-in workload at a scale, its result checked by its own CPU reference.  usage: run_workloads.sh PROGRAM
# SCALE
set -u
program=$(realpath "${1:?program}") scale=${2:?scale}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
for abbr in $(for group in '' --waiting --divergence --sharing --synchronization --barriers --reuse; do "$program" \
    suite list $group | tail -n +2; done | cut -d, -f1 |
    awk '!seen[$0]++'); do
    if "$program" suite run --scale "$scale" --db "$dir/results.db" "$abbr" >"$dir/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat "$dir/log"
    fi
done
echo "workloads: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
