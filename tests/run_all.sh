#!/usr/bin/env bash
# Runs the named stages one after the other, each as `make` does it, and sums up: "N passed, N failed".
# usage: run_all.sh STAGE...
set -u
cd "$(dirname "$0")/.." || exit 1
make=${MAKE:-make}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 broken=()

stage() {
    case $1 in
    *-asan) "$make" -s --no-print-directory MODE=asan "${1%-asan}" ;;
    fuzz-corpus) "$make" -s --no-print-directory MODE=asan fuzz-corpus ;;
    format) "$make" -s --no-print-directory format-check ;;
    valgrind) tests/run_valgrind.sh build/release/tests/* ;;
    live) tests/run_live.sh build/release/warpscape ;;
    workloads) tests/run_workloads.sh build/release/warpscape small ;;
    *) "$make" -s --no-print-directory "$1" ;;
    esac
}

for name in "$@"; do
    start=$SECONDS status=0
    stage "$name" >"$log" 2>&1 || status=$?
    line=$(grep -E '^[a-z-]+: [0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    if [[ $line =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
    else
        p=0 f=1
    fi
    [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    if [ "$f" -gt 0 ]; then
        cat "$log"
        broken+=("$name")
    fi
    note=$(sed -n 's/^note: //p' "$log" | tail -n 1)
    printf '%-14s %5d passed %4d failed %4d s  %s\n' "$name" "$p" "$f" $((SECONDS - start)) "$note"
    passed=$((passed + p)) failed=$((failed + f))
done
[ ${#broken[@]} -eq 0 ] || echo "failing: ${broken[*]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
