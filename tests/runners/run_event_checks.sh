#!/usr/bin/env bash
# Do the events of everything that runs keep what events promise (replay --check-events)? The kernels of tests/kernels,
# on one worker and with warps in random order, and the built-in workloads at scale tiny.  usage: run_event_checks.sh
# PROGRAM
set -u
program=$(realpath "${1:?program}")
cd "$(dirname "$0")/../kernels" || exit 1
export program work
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

judge() { # judge NAME TRACE
    if "$program" replay --check-events "$2" >/dev/null 2>"$2.errors"; then echo "1 0" >"$2.count"; else
        echo "0 1" >"$2.count"
        echo "--- $1"
        head -n 3 "$2.errors"
    fi
    rm -f "$2"
}
one() {
    local name=$1 order
    for order in '' '--interleave 1'; do
        [[ $name == turns_* ]] && order='--turns stores'
        # shellcheck disable=SC2086
        "$program" exec $order --trace "$work/$name.wst" "$name.ptx" "$name.launch" >/dev/null 2>&1
        [ -s "$work/$name.wst" ] && judge "$name $order" "$work/$name.wst"
        [[ $name == turns_* || $name == fault_* ]] && break
    done
}
export -f one judge
ls | sed -n 's/\.launch$//p' | sort -u | xargs -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
"$program" suite run --scale tiny --trace "$work/suite" --db "$work/db" >/dev/null 2>&1
for trace in "$work"/suite/*.wst; do
    judge "$(basename "$trace" .wst)" "$trace"
done
cat "$work"/*.count "$work"/suite/*.count | awk '{ p += $1; f += $2 } END { printf "events: %d passed, %d failed\n", p,
    f; exit f > 0 || p == 0 }'
