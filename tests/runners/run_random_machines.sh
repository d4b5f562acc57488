#!/usr/bin/env bash
# Do machines that nobody thought of do what all have to? Drawn from tests/machines/random_machines.txt, with CTA
# schedulers, caches that know who shares, race detection, buffers of atomics and chips in any mixture. Each runs a
# built-in workload live, whose result is checked (and with --check where values are followed), and its trace:
#   what has to be refused is, in one line with the option's name; any other refusal has the name of an option that was
#   drawn, too
#   nothing crashes, a result is right, no column has what cannot be (tests/machines/random_machines_sane.awk)
#   a trace gives the same on two workers, and when it ran with checkpoints
# usage: run_random_machines.sh WARPSCAPE [DRAWS [FIRST]]    seeds FIRST .. FIRST + DRAWS - 1 (1, 40)
set -u
program=$(realpath "${1:?program}")
draws=${2:-40} first=${3:-1}
tests=$(cd "$(dirname "$0")/.." && pwd)
export LC_ALL=C.UTF-8
folder=$(mktemp -d)
trap 'cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
passed=0 failed=0 refused=0

fail() { # fail SEED WHAT COMMAND...
    failed=$((failed + 1))
    local seed=$1 what=$2
    shift 2
    printf 'wrong: seed %s: %s:' "$seed" "$what"
    printf ' %q' "$@"
    printf '\n'
    tail -n 3 err | cut -c1-300
}

simulate() { "$program" sim "$@" 2>err; }
is_refusal() {
    [ "$1" -eq 1 ] && [ "$(grep -c '^warpscape sim: ' err)" -eq 1 ] &&
        ! grep -q 'workloads failed\|Sanitizer\|runtime error' err
}

# Does the refusal name an option that was drawn?
names_one() { # names_one OPTION=VALUE...
    local option
    for option; do
        option=${option%%=*}
        grep -qF -e "$option" -e "${option#*.}" err && return 0
    done
    return 1
}
frame() { grep -v '^# command' "$1"; }

draw() { # draw SEED REFUSED CHECK PROGRAM CONFIG [-s OPTION=VALUE]...
    local seed=$1 bad=$2 check=$3 run=$4 config=$5 status options=() wrong
    shift 5
    for option; do [ "$option" = -s ] || options+=("$option"); done
    local machine=(-c "$config" "$@")
    [ "$check" = plain ] || machine+=(--check)
    simulate "${machine[@]}" --suite "$run" >live.csv
    status=$?
    if is_refusal $status && [ "$check" = check ] && grep -q 'values are checked' err; then
        check=plain machine=(-c "$config" "$@")
        simulate "${machine[@]}" --suite "$run" >live.csv
        status=$?
    fi
    if [ "$bad" != - ] || is_refusal $status; then
        [ "$bad" = - ] || options=("$bad=")
        if ! is_refusal $status; then fail "$seed" "not refused for $bad" "${machine[@]}" --suite "$run"
        elif ! names_one "${options[@]}"; then fail "$seed" "a refusal without a name" "${machine[@]}" --suite "$run"
        else passed=$((passed + 1)) refused=$((refused + 1)); fi
        return
    fi
    [ $status -eq 0 ] || { fail "$seed" "exit status $status" "${machine[@]}" --suite "$run"; return; }
    [ -e "traces/$run.wst" ] || "$program" suite run --scale tiny --trace traces "$run" >suite.csv 2>suite.err
    simulate "${machine[@]}" -j1 "traces/$run.wst" >one.csv || { fail "$seed" "its trace fails" "${machine[@]}" \
        "$run.wst"; return; }
    wrong=$(awk -f "$tests/machines/random_machines_sane.awk" live.csv; \
        awk -f "$tests/machines/random_machines_sane.awk" one.csv)
    [ -z "$wrong" ] || { fail "$seed" "$(head -n 1 <<<"$wrong")" "${machine[@]}" --suite "$run"; return; }
    simulate "${machine[@]}" -j2 "traces/$run.wst" >two.csv
    cmp -s <(frame one.csv) <(frame two.csv) || { fail "$seed" "two workers differ" "${machine[@]}" "$run.wst"; \
        return; }
    if [ "$check" = plain ]; then
        rm -f state
        simulate "${machine[@]}" --checkpoint state --every 1000 "traces/$run.wst" >two.csv
        cmp -s <(frame one.csv) <(frame two.csv) || { fail "$seed" "with checkpoints it differs" "${machine[@]}" \
            "$run.wst"; return; }
    fi
    passed=$((passed + 1))
}

while IFS=$'\t' read -r -a words; do
    draw "${words[@]}"
done < <(awk -v first="$first" -v draws="$draws" -f "$tests/machines/random_machines.awk" \
    "$tests/machines/random_machines.txt")
echo "random-machines: $refused of these refused with a name"
echo "random-machines: $passed passed, $failed failed"
[ $failed -eq 0 ]
