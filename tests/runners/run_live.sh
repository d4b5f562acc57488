#!/usr/bin/env bash
# Built-in workloads live on simulated machines, results checked by their own CPU references: all of them on two
# machines, and those whose blocks wait for one another under each coherence protocol, with all loads checked.
# usage: run_live.sh PROGRAM
set -u
program=$(realpath "${1:?program}")
cd "$(dirname "$0")/../.." || exit 1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0
abbrs() { "$program" suite list "$@" | tail -n +2 | cut -d, -f1; }
live() { # live WORKLOADS OPTION...: so many right results are expected
    local wanted=$1 right
    shift
    "$program" sim --max-cycles 100000000 --suite "$@" >/dev/null 2>"$log"
    right=$(grep -c ': right result, ' "$log")
    passed=$((passed + right)) failed=$((failed + wanted - right))
    if [ "$right" -ne "$wanted" ]; then
        echo "--- sim $*"
        grep -v ': right result, ' "$log"
    fi
}
mapfile -t waiting < <(abbrs --waiting)
mapfile -t others < <(abbrs)
mapfile -t studies < <(for group in divergence sharing synchronization; do abbrs --$group; done)
mapfile -t unnamed < <(printf '%s\n' "${others[@]}" "${waiting[@]}" | grep -vxF -f <(printf '%s\n' "${studies[@]}"))
for machine in gtsc rtx2060; do
    live ${#unnamed[@]} --config "$machine"
    live ${#studies[@]} --config "$machine" "${studies[@]}"
done
for protocol in $(sed -n 's/^PROTOCOL(.*"\(.*\)".*/\1/p' model/coherence/protocols.def); do
    live ${#waiting[@]} --config gtsc --protocol "$protocol" --check "${waiting[@]}"
done
echo "live: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
