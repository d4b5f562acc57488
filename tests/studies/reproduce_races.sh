#!/usr/bin/env bash
# Measures what Tabbakh, Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs (2018),
# chapter 4, says of sequential consistency by race detection: the workloads of tests/studies/races_workloads.txt on the
# machine `races`, with each of six ways to have it and signatures of 1 to 16 Kb, beside the tables of its appendix
# (data/published/races-benchmarks.csv). Puts the tables into docs/reproduction-races.md and draws its figures
# (docs/img/races-*.svg). The last column of the claims is written by hand and stays with its claim; ends with 1 when a
# claim that does not hold has no such words. Simulations stay in FOLDER, and are not made again: an hour of processor
# time, or none. With WORKLOAD... their rows of the table of single workloads alone are made, and held against the page.
# usage: reproduce_races.sh PROGRAM [FOLDER [WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study races "$@"
mkdir -p "$dir/sims"
list=tests/studies/races_workloads.txt theirs=data/published/races-benchmarks.csv page=docs/reproduction-races.md

# NAME SCALES PROTOCOL [OPTION=VALUE]...: the letter of the configuration there, and the size of signatures in Kb.
machines() {
    echo 'rc tiny,small noncoherent coherence.consistency=rc'
    echo 'gtsc tiny,small gtsc-sc'
    local kb of scales
    for kb in 1 2 4 8 16; do
        of="coherence.race_bits=$((kb * 1024))bits" scales=tiny
        [[ " 1 4 " != *" $kb "* ]] || scales=tiny,small
        echo "I$kb $scales drd-ideal $of"
        echo "N$kb $scales drd $of"
        echo "B$kb $scales drd-spec $of coherence.race_unit=1bytes"
        echo "W$kb $scales drd-spec $of coherence.race_unit=4bytes"
        echo "K$kb $scales drd-spec $of"
        echo "H$kb $scales drd-spec $of coherence.race_unit=512bytes"
    done
    echo 'K4-header tiny drd-spec coherence.race_wire=0' # signatures take no bytes on the network
}

# simulate SCALE NAME PROTOCOL OPTIONS WORKLOAD: two files, kept when both are whole.
simulate() {
    local at="$dir/sims/$1-$2-$5"
    simulated "$at" races "$4" --protocol "$3" --power "$at.power" --suite "$5" --scale "$1"
}

names='.*' scales='tiny small'
[ -z "$sample" ] || names='rc|[INBWKH]4' scales=tiny
# Those of each machine: SCALE NAME PROTOCOL OPTIONS WORKLOAD, one each.
pairs() {
    local scale name of protocol options w theirs has
    for scale in $scales; do
        machines | grep -E "^($names) " | while read -r name of protocol options; do
            [[ ",$of," == *",$scale,"* ]] || continue
            awk '!/^#/' "$list" | while read -r w theirs has; do
                [[ -n $sample && " $sample " != *" $w "* ]] && continue
                [[ " $has " == *" $scale "* ]] && printf '%s\0' "$scale" "$name" "$protocol" "$options" "$w"
                true
            done
        done
    done
}
pairs | in_parallel 5 simulate
# Lines "SCALE RUN WORKLOAD COLUMN VALUE": the last row of a simulation is its total; joules are those of all launches,
# of a component its watts in their seconds.
pairs | xargs -0 -r -n 5 echo | awk '{ print $1, $2, $NF }' | while read -r scale name w; do
    for kind in csv power; do totals "$scale $name $w" "$dir/sims/$scale-$name-$w.$kind"; done
done >"$dir/values"
judge() {
    awk "$@" -f tests/studies/claims.awk -f tests/studies/races_claims.awk "$list" FS=, "$theirs" FS=' ' "$dir/values"
}
if [ -n "$sample" ]; then
    judge -v sample=1 >"$dir/rows"
    end_with_rows "$page"
fi
judge -v dir="$dir"

figure bars time 'Cycles over those without sequential consistency'
figure bars syncs 'What begins epochs, besides stores of the SM' --stack --width 1100
figure bars misses 'Old copies, of misses of L1s' --stack --width 1100
figure bars energy 'Energy on top of that without sequential consistency' --stack --width 1100
figure bars gtsc 'Race detection with 4 Kb, and G-TSC: cycles over base' --width 1300

# Tables between marks of the page; words in the last column stay with their claim.
put_tables 5 claims configurations small workloads
check_words "races claims" 5
