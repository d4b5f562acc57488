#!/usr/bin/env bash
# Runs each tests/kernels/NAME.ptx as NAME.launch says, with one worker, with three, and with the warps in random order. The
# reports have to be the same, but for the instructions of kernels named spin_*, which wait, and of the random order, where
# any lock means waiting. Shows what is not as expected, and last "kernels: N passed, N failed".  usage: run_kernels.sh PROGRAM [NAME...]
set -u
program=$(realpath "${1:?program}")
shift
cd "$(dirname "$0")/kernels" || exit 1
export program results
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
[ $# -gt 0 ] || set -- $(ls | sed -n 's/\.\(ptx\|launch\)$//p' | sort -u)

report() { # report NAME ENDING OPTION...: to the file NAME.ENDING
    local name=$1 to=$results/$1.$2
    shift 2
    "$program" exec "$@" "$name.ptx" "$name.launch" >"$to" 2>&1 || return 1
    case $name in spin_*) uncounted "$to" >"$to.tmp" && mv "$to.tmp" "$to" ;; esac
}
uncounted() { sed 's/: [0-9]* warp instructions.*//' "$1"; }
one() {
    local name=$1 log=$results/$1
    if report "$name" 1 -j 1 && report "$name" 3 -j 3 && cmp -s "$log.1" "$log.3" &&
        report "$name" random --interleave 1 && cmp -s <(uncounted "$log.1") <(uncounted "$log.random"); then
        echo "1 0" >"$log.count"
        return
    fi
    echo "0 1" >"$log.count"
    echo "--- $name"
    if [ -e "$log.3" ]; then diff "$log.1" "$log.3" | head -20; fi
    if [ -e "$log.random" ]; then diff <(uncounted "$log.1") <(uncounted "$log.random") | head -20; fi
    grep -v '^  ok' "$log.1" | head -20
}
export -f one report uncounted
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count | awk '{ p += $1; f += $2 } END { printf "kernels: %d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
