#!/usr/bin/env bash
# Does ThreadSanitizer see threads of ours share something without an order? Unit tests, CUDA programs, small kernels
# with several workers, and simulations of a trace on several threads, all of a build with MODE=tsan; any report makes a
# program fail.
# usage: check_threads.sh BUILD UNIT-TEST...
set -u
build=$(realpath "${1:?build}")
shift
tests=$(realpath "$(dirname "$0")/..")
# shellcheck source=tests/runners/counting.sh
. "$tests/runners/counting.sh"
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export TSAN_OPTIONS=exitcode=66 build tests logs
# Kernels that are left out, and why.
declare -A left_out=(
    [fault_between]='counts on what lies beside the usual place of memory, which is another one here'
    [fault_memory]='its blocks write to the same bytes'
    [spin_atomic_128]='guesses with a plain load what an atomic finds'
)
kernel() { # kernel NAME: with two workers
    local name=$1 turns=()
    [[ $name != turns_* ]] || turns=(--turns stores)
    cd "$tests/kernels" && "$build/warpscape" exec -j 2 "${turns[@]}" "$name.ptx" "$name.launch" >"$logs/$name" 2>&1 &&
        return
    printf '%s\n' "--- $name"
    grep -v '^  ok' "$logs/$name" | head -60
    return 1
}
simulation() { # simulation MACHINE: of a trace, on three threads
    local trace=$logs/$1.wst
    echo "--- simulation on $1"
    cd "$tests/kernels" && "$build/warpscape" exec --trace "$trace" library_math.ptx library_math.launch &&
        "$build/warpscape" sim -j 3 --config "$1" "$trace"
}
each() { # each COMMAND NAME...: runs the command with each name, and sums up
    local command=$1 name good=0 bad=0 out
    shift
    for name in "$@"; do
        if out=$("$command" "$name" 2>&1); then
            good=$((good + 1))
        else
            bad=$((bad + 1))
            printf '%s\n' "$out"
        fi
    done
    echo "$command: $good passed, $bad failed"
}
kernels=()
for launch in "$tests"/kernels/*.launch; do
    name=$(basename "$launch" .launch)
    [ "${left_out[$name]:-}" ] || kernels+=("$name")
done
count kernels each kernel "${kernels[@]}"
count simulations each simulation gtsc rtx2060
count "CUDA programs" env QUIET=1 "$tests/runners/run_cuda_programs.sh" --libraries "$build/lib" "$build/tests/cuda"
count "unit tests" "$tests/runners/run_unit.sh" unit "$@"
echo "tsan: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
