#!/usr/bin/env bash
# Unit tests under valgrind: no invalid access, no leak.  usage: run_valgrind.sh PROGRAM...
set -u
export results
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
if ! command -v valgrind >/dev/null; then
    echo "note: valgrind is not installed, nothing checked"
    echo "valgrind: 0 passed, 0 failed"
    exit
fi
one() {
    local log=$results/$(basename "$1").log
    if timeout 900 valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$1" >"$log" \
        2>&1; then
        echo ok
    else
        grep -E '^==|FAILED' "$log" | head -30
        echo "no: $1"
    fi
}
export -f one
for program in "$@"; do
    [ ! -f "$program" ] || [ ! -x "$program" ] || printf '%s\0' "$program"
done | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _ |
    awk '$0 == "ok" { p++; next } /^no: / { f++ } { print }
        END { printf "valgrind: %d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
