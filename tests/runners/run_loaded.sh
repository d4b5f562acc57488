#!/usr/bin/env bash
# Does `make test` pass on a machine that is busy with other things? Copies the tree with what is built AT_ONCE (5)
# times, and runs it in all copies at the same time until RUNS (10) are done: each with JOBS (2) jobs, so each beside
# eight busy processes. A copy that has no run left keeps its share of the load up.
# usage: [JOBS=N] [RUNS=N] [AT_ONCE=N] run_loaded.sh FOLDER
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=${1:?FOLDER}
runs=${RUNS:-10} at_once=${AT_ONCE:-5} jobs=${JOBS:-2}
unset MAKEFLAGS MFLAGS
trap 'trap "" TERM; kill 0; exit 130' INT TERM

rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
touch "$folder/next"

# take: a number that no other copy has; fails when there is none left.
take() {
    (flock 9; n=$(wc -c <"$folder/next"); [ "$n" -lt "$runs" ] && printf . >>"$folder/next" && echo $((n + 1))) \
        9>"$folder/lock"
}

worker() { # worker COPY
    local n start status
    while n=$(take); do
        start=$SECONDS status=0
        "${MAKE:-make}" -C "$folder/$1" --no-print-directory MODE=release JOBS="$jobs" test >"$folder/$n.log" 2>&1 \
            </dev/null || status=$?
        echo "$status $((SECONDS - start)) $(cut -d ' ' -f 1 /proc/loadavg)" >"$folder/$n.end"
        echo "run $n: exit status $status, $((SECONDS - start)) s, load $(cut -d ' ' -f 1 /proc/loadavg)" >&2
    done
    touch "$folder/$1.idle"
    for _ in $(seq "$jobs"); do while [ "$(find "$folder" -maxdepth 1 -name '*.idle' | wc -l)" -lt "$at_once" ]; do
        for ((i = 0; i < 2000000; i++)); do :; done
    done & done
    wait
}

for copy in $(seq "$at_once"); do
    mkdir "$folder/copy$copy"
    git ls-files -z | tar -c --null -T - | tar -x -C "$folder/copy$copy" || exit 1
    mkdir "$folder/copy$copy/build"
    cp -a build/release "$folder/copy$copy/build/" || exit 1
done
for copy in $(seq "$at_once"); do worker "copy$copy" & done
wait

red=0 seconds=0
for n in $(seq "$runs"); do
    read -r status time load 2>/dev/null <"$folder/$n.end" || status=1 time=0 load=unknown
    seconds=$((seconds + time))
    [ "$status" -eq 0 ] && continue
    red=$((red + 1))
    echo "--- run $n, exit status $status, load $load"
    grep -E '^failing|^\[  FAILED|^---|hangs|not ok' "$folder/$n.log" | head -n 20
done
echo "note: $((seconds / runs)) s a run, $at_once at once with $jobs jobs each"
echo "loaded: $((runs - red)) passed, $red failed"
[ $red -eq 0 ] && rm -rf "$folder"
[ $red -eq 0 ]
