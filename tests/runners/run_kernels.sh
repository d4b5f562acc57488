#!/usr/bin/env bash
# Runs each tests/kernels/NAME.ptx as NAME.launch says, with one worker, with three, with warps that take turns before
# stores, in random order, and live on two simulated machines (one with LIGHT=1). The reports have to be the same, but
# for the instructions of kernels named spin_*, which wait, and of other orders, where any lock means waiting. Kernels
# named turns_* need turns before stores; those named *clusters* have clusters of several blocks, which only the engine's own
# order runs. Shows what is not as expected, and last "kernels: N passed, N failed".  usage:
# run_kernels.sh PROGRAM [NAME...]
set -u
program=$(realpath "${1:?program}")
shift
cd "$(dirname "$0")/../kernels" || exit 1
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
simulate() { # simulate NAME MACHINE: the report, as exec words it, to NAME.MACHINE
    "$program" sim --config "$2" --max-cycles 10000000 --livelock 10000000 "$1.ptx" "$1.launch" 2>&1 \
        >"$results/$1.$2.csv" |
        sed 's/^sim: /exec: /' >"$results/$1.$2"
    return "${PIPESTATUS[0]}"
}
same_but_counts() { cmp -s <(uncounted "$1") <(uncounted "$2"); }
uncounted() { sed 's/: [0-9]* warp instructions.*//' "$1"; }
one() {
    local name=$1 log=$results/$1 order
    if [[ $name == turns_* ]]; then
        report "$name" 1 -j 1 --turns stores && report "$name" 3 -j 3 --turns stores && cmp -s "$log.1" "$log.3"
    else
        everyway "$name"
    fi
    if [ $? -eq 0 ]; then
        echo "1 0" >"$log.count"
        return
    fi
    echo "0 1" >"$log.count"
    echo "--- $name"
    if [ -e "$log.3" ]; then diff "$log.1" "$log.3" | head -20; fi
    for order in turns random gtsc rtx2060; do
        if [ -e "$log.$order" ]; then diff <(uncounted "$log.1") <(uncounted "$log.$order") | head -20; fi
    done
    grep -v '^  ok' "$log.1" | head -20
}
everyway() {
    local name=$1 log=$results/$1
    report "$name" 1 -j 1 && report "$name" 3 -j 3 && cmp -s "$log.1" "$log.3" &&
        report "$name" turns -j 3 --turns stores && same_but_counts "$log.1" "$log.turns" || return 1
    [[ $name == *clusters* ]] && return
    report "$name" random --interleave 1 && same_but_counts "$log.1" "$log.random" &&
        simulate "$name" gtsc && same_but_counts "$log.1" "$log.gtsc" &&
        { [ -n "${LIGHT:-}" ] || { simulate "$name" rtx2060 && same_but_counts "$log.1" "$log.rtx2060"; }; }
}
export -f one everyway report simulate same_but_counts uncounted
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count | awk '{ p += $1; f += $2 } END { printf "kernels: %d passed, %d failed\n", p, f; exit f > 0 ||
    p == 0 }'
