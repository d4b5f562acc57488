#!/usr/bin/env bash
# Measures the next step of local atomic buffers, which P. Dalmia, Reducing Synchronization and Communication Overheads
# in GPUs (2023), has as future work (chapter 6): a buffer on each chiplet behind those of its
# SMs (package.atomic_buffer). A histogram and PageRank on 2, 4 and 8 chiplets, with and without buffers in SMs. Puts
# the table into docs/reproduction-atomics.md and draws docs/img/atomics-chips.svg. Simulations stay
# in FOLDER, and are not made again: a quarter of an hour of processor time, or none.
# usage: reproduce_chip_buffers.sh PROGRAM [FOLDER]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study chip-buffers "$@"
page=docs/reproduction-atomics.md

# WORKLOAD CHIPLETS SMS LINES-OF-A-CHIP,...; SMs: combined sends each update, labN has N lines of its own.
runs() {
    echo 'PRK 4 combined 0,64,256,1024'
    echo 'PRK 4 lab8 0,64,256,1024'
    echo 'PRK 4 lab64 0,64,256,1024'
    for chips in 2 8; do echo "PRK $chips combined 0,256"; echo "PRK $chips lab8 0,256"; done
    echo 'HIS 4 combined 0,64,256,1024'
    echo 'HIS 4 lab8 0,256'
    for chips in 2 8; do echo "HIS $chips combined 0,256"; done
}
each() {
    local w chips sms lines n
    runs | while read -r w chips sms lines; do
        for n in ${lines//,/ }; do echo "$w $chips $sms $n"; done
    done
}
machine() { case $1 in 2) echo two-chiplets ;; 4) echo four-chiplets ;; 8) echo eight-chiplets ;; esac }
simulate() { # WORKLOAD CHIPLETS SMS LINES
    local at=$dir/$1-$2-$3-$4 sms="sm.atomics=$3"
    [ -s "$at" ] && return
    [ -s "$dir/$1.wst" ] || "$program" suite run --scale small --db "$dir/$1.db" --trace "$dir/" "$1" >"$dir/$1.log" \
        2>&1
    [ "$3" = combined ] || sms="sm.atomics=lab --set atomics.entries=${3#lab}"
    # shellcheck disable=SC2086
    logged "$at.log" "$program" sim --config "$(machine "$2")" --set package.coherence=boundary --set $sms \
        --set package.atomic_buffer="$4" --power "$at.power" "$dir/$1.wst" >"$at.new"
    mv "$at.new" "$at"
}
export -f machine simulate
each | xargs -n 4 -P "${JOBS:-1}" bash -c 'simulate "$@"' simulate

# WORKLOAD CHIPLETS SMS LINES cycles updates-to-chips kept sums atomics uJ: all, L2s, links, homes
each | while read -r w chips sms n; do
    at=$dir/$w-$chips-$sms-$n
    awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { row = $0 }
        END {
            split(row, v, ",")
            sums = "package_update_messages" in at ? v[at["package_update_messages"]] : v[at["msg_ATOMIC"]]
            printf "%s %s %s ", v[at["cycles"]], v[at["msg_ATOMIC"]], sums
        }' "$at" |
        sed "s/^/$w $chips $sms $n /"
    awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            all += $at["joules"]; l2 += $at["l2"] * $at["seconds"]; link += $at["link"] * $at["seconds"]
            home += ($at["l3"] + $at["dram"]) * $at["seconds"]
        }
        END { printf "%.2f %.2f %.2f %.2f\n", all * 1e6, l2 * 1e6, link * 1e6, home * 1e6 }' "$at.power"
done >"$dir/values"
{
    echo '| | chiplets | lines of an SM | of a chip | atomics of SMs | go home | cycles | over none | energy, uJ | of' \
        'L2s | of links | of homes | all but L2s, over none |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    awk '{ key = $1 " " $2 " " $3; if ($4 == 0) { cycles = $5; rest = $8 - $9 }
        printf "| %s | %s | %s | %s | %d | %d | %d | %.2f | %.0f | %.0f | %.1f | %.0f | %.2f |\n", $1, $2,
            $3 == "combined" ? "-" : substr($3, 4), $4 ? $4 : "-", $6, $7, $5, $5 / cycles, $8, $9, $10, $11,
            ($8 - $9) / rest }' "$dir/values"
} >"$dir/chips.md"
awk 'BEGIN {
    print "# warpscape frame 1\n# column cycles unit=ratio\n# column home unit=ratio\n# column energy unit=ratio\n# " \
        "labels: 2\nworkload,buffer,cycles,home,energy" }
    $4 == 0 { cycles = $5; home = $7; energy = $8 - $9; next }
    {
        printf "%s on %d,%s%d,%.4f,%.4f,%.4f\n", $1, $2, $3 == "combined" ? "" : substr($3, 4) " and ", $4, $5 / cycles,
            $7 / home, ($8 - $9) / energy
    }' "$dir/values" >"$dir/chips.csv"
"$program" plot bars "$dir/chips.csv" -o docs/img/atomics-chips.svg \
    --title 'Buffers of two, four, eight chiplets, over none' --width 1400
put_table "atomics chips" "$dir/chips.md"
