#!/usr/bin/env bash
# Runs each tests/kernels/NAME.ptx as NAME.launch says, with one worker and with three, whose reports have to be the same
# (but for the instructions of kernels named spin_*, which wait); shows what is not as expected, and last "kernels: N passed, N failed".  usage: run_kernels.sh PROGRAM [NAME...]
set -u
program=$(realpath "${1:?program}")
shift
cd "$(dirname "$0")/kernels" || exit 1
export program results
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
[ $# -gt 0 ] || set -- $(ls | sed -n 's/\.\(ptx\|launch\)$//p' | sort -u)

report() { # report NAME WORKERS
    "$program" exec -j "$2" "$1.ptx" "$1.launch" >"$results/$1.$2" 2>&1 || return 1
    case $1 in spin_*) sed -i 's/: [0-9]* warp instructions.*//' "$results/$1.$2" ;; esac
}
one() {
    local name=$1 log=$results/$1
    if report "$name" 1 && report "$name" 3 && cmp -s "$log.1" "$log.3"; then
        echo "1 0" >"$log.count"
        return
    fi
    echo "0 1" >"$log.count"
    echo "--- $name"
    if [ -e "$log.3" ]; then diff "$log.1" "$log.3" | head -20; fi
    grep -v '^  ok' "$log.1" | head -20
}
export -f one report
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count | awk '{ p += $1; f += $2 } END { printf "kernels: %d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
