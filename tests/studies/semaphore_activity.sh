#!/usr/bin/env bash
# Draws docs/img/semaphore-activity.svg: atomic operations over time of a kernel with SpinSem and with PriorSem.
#     tests/studies/semaphore_activity.sh PROGRAM PICTURE.svg
set -eu
export LC_ALL=C
program=$(realpath "${1:?program}") picture=$(realpath "${2:?picture}")
kernel=$(cd "$(dirname "$0")/../.." && pwd)/data/workloads/semaphore/semaphore.ptx
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
# Size 1, 8 blocks of a warp on each of 4 SMs, 50 loads and stores. Forms: 0 SpinSem, 2 PriorSem.
for form in 0 2; do
    cat >$form.launch <<E
buffer word s32 512 = 0*32 1 0*127 1 0*127 1 0*127 1 0*95
buffer data u32 6400
buffer records s32 64
buffer use u64 512
launch semaphore grid 32 block 32 args word data records use { s32 4 s32 1 s32 $form s32 1023 s32 0 s32 1 s32 0 s32 5 s32 50 s32 0 }
E
    "$program" sim --config qv100 --set chip.sms=4 --set sm.blocks=32 --activity $form.csv --interval 10000 \
        "$kernel" $form.launch >/dev/null 2>&1
done
awk -F, -v OFS=, '
    BEGIN { print "# warpscape frame 1\n# labels: 0\n# column begin unit=cycles\nbegin,SpinSem,PriorSem" }
    $4 $5 $6 == "cachel2atomics" { n[FILENAME, $8] = $10; if (!seen[$8]++) at[++k] = $8 }
    END { for (i = 1; i <= k; i++)
              print at[i], n["0.csv", at[i]], (("2.csv", at[i]) in n) ? n["2.csv", at[i]] : "NA" }' 0.csv 2.csv >activity.csv
"$program" plot curves activity.csv --width 900 --title 'Atomic operations in each 10,000 cycles' -o "$picture"
