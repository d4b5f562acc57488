#!/usr/bin/env bash
# Runs each tests/kernels/NAME.ptx as NAME.launch says, with one worker and with three, whose reports have to be the same;
# shows what is not as expected, and last "kernels: N passed, N failed".  usage: run_kernels.sh PROGRAM [NAME...]
set -u
program=$(realpath "${1:?program}")
shift
cd "$(dirname "$0")/kernels" || exit 1
export program results
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
[ $# -gt 0 ] || set -- $(ls | sed -n 's/\.\(ptx\|launch\)$//p' | sort -u)

one() {
    local name=$1 log=$results/$1
    if "$program" exec -j 1 "$name.ptx" "$name.launch" >"$log.1" 2>&1 && "$program" exec -j 3 "$name.ptx" "$name.launch" >"$log.3" 2>&1 &&
        cmp -s "$log.1" "$log.3"; then
        echo "1 0" >"$log.count"
        return
    fi
    echo "0 1" >"$log.count"
    echo "--- $name"
    if [ -e "$log.3" ]; then diff "$log.1" "$log.3" | head -20; fi
    grep -v '^  ok' "$log.1" | head -20
}
export -f one
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count | awk '{ p += $1; f += $2 } END { printf "kernels: %d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
