#!/usr/bin/env bash
# Is each vector level that the processor has as good as the best? Small kernels with expected results, and the unit
# tests of the engine, each run on each level.
# usage: check_levels.sh PROGRAM UNIT-TEST...
set -u
program=$(realpath "${1:?program}")
shift
tests=$(dirname "$0")/..
# shellcheck source=tests/runners/counting.sh
. "$tests/runners/counting.sh"
lacking=()
has() { # has LEVEL: do this build and this processor have it?
    ! WARPSCAPE_LEVEL=$1 "$program" exec "$tests/kernels/approx_f32.ptx" "$tests/kernels/approx_f32.launch" 2>&1 |
        grep -q "^warpscape.*WARPSCAPE_LEVEL=$1:"
}
for level in plain avx2 avx512; do
    if has "$level"; then
        count "level $level" env "WARPSCAPE_LEVEL=$level" LIGHT=1 "$tests/runners/run_kernels.sh" "$program"
        count "level $level" env "WARPSCAPE_LEVEL=$level" "$tests/runners/run_unit.sh" unit "$@"
    else
        lacking+=("$level")
    fi
done
[ ${#lacking[@]} -eq 0 ] || echo "note: this processor, or this build, lacks ${lacking[*]}"
echo "levels: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
