#!/usr/bin/env bash
# Does work grow no faster than input? Each shape of tests/growth/shapes.txt runs at its size and at four times that:
# processor time may grow eightfold (four is linear, sixteen quadratic), and what is below a floor counts as the floor,
# so that neither a slow machine nor a busy one matters; a shape that fails is measured three times. Time stands for
# memory, too: pages that are touched cost time.
# usage: [TIMES=1] run_growth.sh PROGRAM [SHAPE]...      TIMES: prints them
set -u
program=$(realpath "${1:?program}")
shift
folder=$(cd "$(dirname "$0")/../growth" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
[ $# -gt 0 ] || mapfile -t rows < <(awk '$1 == "shape" { print $2 }' "$folder/shapes.txt")
[ $# -eq 0 ] || rows=("$@")
floor_ms=60
export LC_ALL=C
TIMEFORMAT='%U %S'

# Milliseconds of processor time of the shape with $2 of what grows, into $ms; the program's status into $status.
measure() {
    awk -v shape="$1" -v n="$2" -v ptx=x.ptx -v launch=x.launch -v claims=x.ini -f "$folder/expand.awk" \
        "$folder/shapes.txt"
    local what=(exec --workers 1 x.ptx x.launch)
    [ "$3" != covered ] || what=(exec --coverage x.ptx)
    [ "$3" != judged ] || what=(claims x.ini)
    { time "$program" "${what[@]}" >out 2>&1; status=$?; } 2>seconds
    ms=$(awk '{ print int(1000 * ($1 + $2)) }' seconds)
}

# One line that says why, when there is something.
wrong() {
    local shape=$1 n=$2 how=$3 expected=0 small
    [ "$how" != refused ] || expected=1
    for size in "$n" $((4 * n)); do
        measure "$shape" "$size" "$how"
        [ "$size" != "$n" ] || small=$ms
        if [ "$status" -ne "$expected" ]; then
            echo "$shape: exit status $status instead of $expected with $size: $(tail -n 1 out | head -c 300)"
            return
        fi
    done
    [ -z "${TIMES:-}" ] || echo "$shape: $n: $small ms, $((4 * n)): $ms ms" >&2
    [ "$small" -ge "$floor_ms" ] || small=$floor_ms
    [ "$ms" -le $((8 * small)) ] || echo "$shape: $ms ms for $((4 * n)), more than 8 times the $small ms for $n"
}

passed=0 failed=0
for shape in "${rows[@]}"; do
    read -r n how < <(awk -v shape="$shape" '$1 == "shape" && $2 == shape { print $3, $4 }' "$folder/shapes.txt")
    for _ in 1 2 3; do
        why=$(wrong "$shape" "${n:?there is no shape $shape}" "$how")
        [ -n "$why" ] || break
    done
    if [ -n "$why" ]; then
        echo "$why"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
echo "growth: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
