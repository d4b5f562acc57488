#!/usr/bin/env bash
# Runs the named stages one after the other, each as `make` does it, and sums up: "N passed, N failed". Stages with a comma
# between them run at the same time: for those that keep one core busy. They must not build into the same folder.
# usage: run_all.sh STAGE[,STAGE...]...
set -u
cd "$(dirname "$0")/.." || exit 1
make=${MAKE:-make}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
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

timed() { # timed NAME: its output to NAME.log, its exit status and its seconds to NAME.end
    local start=$SECONDS status=0
    stage "$1" >"$logs/$1.log" 2>&1 || status=$?
    echo "$status $((SECONDS - start))" >"$logs/$1.end"
}

tell() { # tell NAME: what came of it
    local log=$logs/$1.log status seconds line p f note
    read -r status seconds <"$logs/$1.end"
    line=$(grep -E '^[a-z-]+: [0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    if [[ $line =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
    else
        p=0 f=1
    fi
    [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    if [ "$f" -gt 0 ]; then
        cat "$log"
        broken+=("$1")
    fi
    note=$(sed -n 's/^note: //p' "$log" | tail -n 1)
    printf '%-19s %5d passed %4d failed %4d s  %s\n' "$1" "$p" "$f" "$seconds" "$note"
    passed=$((passed + p)) failed=$((failed + f))
}

for names in "$@"; do
    IFS=, read -r -a together <<<"$names"
    for name in "${together[@]}"; do timed "$name" & done
    wait
    for name in "${together[@]}"; do tell "$name"; done
done
[ ${#broken[@]} -eq 0 ] || echo "failing: ${broken[*]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
