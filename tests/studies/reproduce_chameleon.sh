#!/usr/bin/env bash
# Measures the claims of Chameleon (Goswami 2013, chapter 5) with `warpscape model chameleon`. `warpscape claims` judges
# them by data/claims/chameleon.ini, puts the table into docs/reproduction.md, section Chameleon, and draws the figures
# of that section and of docs/chameleon.md. Some three minutes of processor time.
# usage: reproduce_chameleon.sh PROGRAM
set -eu
program=$(realpath "${1:?program}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$(dirname "$0")/../.."

study=(--seeds 20 --policy energy --policy performance --policy threshold --policy chameleon)
model() { "$program" model chameleon "$@"; }
model "${study[@]}" --per supply >"$dir/supply.csv"
model --seeds 20 --policy chameleon --supply LpHv >"$dir/each.csv"
model --seeds 20 --policy chameleon --per policy --base threshold >"$dir/threshold.csv"
model --sensitivity --workload MM --workload FWT --workload HY --seeds 5 >"$dir/sensitivity.csv"
model --supply HpHv --workload FWT --policy chameleon --timeline "$dir/timeline.csv" --learning "$dir/learning.csv" \
    >"$dir/one.csv"
frames=()
for name in each threshold sensitivity timeline learning; do frames+=(--frame "$name=$dir/$name.csv"); done
"$program" claims "$dir/supply.csv" data/claims/chameleon.ini "${frames[@]}" --page docs/reproduction.md
