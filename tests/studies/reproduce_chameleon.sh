#!/usr/bin/env bash
# Measures the claims of Chameleon (Goswami 2013, chapter 5) with `warpscape model chameleon`, puts the table into
# docs/reproduction.md, section Chameleon, and draws the figures of that section and of docs/chameleon.md. The last
# column of the table is written by hand and stays with its claim; ends with 1 when a claim that does not hold has no
# such words. Some three minutes of processor time.
# usage: reproduce_chameleon.sh PROGRAM
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_short_study chameleon "$@"
page=docs/reproduction.md

study=(--seeds 20 --policy energy --policy performance --policy threshold --policy chameleon)
model() { "$program" model chameleon "$@"; }
# values RUN FRAME: lines "RUN SUPPLY WORKLOAD POLICY COLUMN VALUE".
values() {
    grep -v '^#' "$2" | awk -F, -v run="$1" 'NR == 1 { for (i = 4; i <= NF; i++) name[i] = $i; next }
        { for (i = 4; i <= NF; i++) print run, $1, $2, $3, name[i], $i }' >>"$dir/values"
}
model "${study[@]}" --per supply >"$dir/supply.csv"
model --seeds 20 --policy chameleon --supply LpHv >"$dir/each.csv"
model --seeds 20 --policy chameleon --per policy --base threshold >"$dir/threshold.csv"
for run in supply each threshold; do values $run "$dir/$run.csv"; done

awk -f tests/studies/claims.awk -f tests/studies/chameleon_claims.awk "$dir/values" >"$dir/claims.md"

failed=0
put_short_claims '| Claim | The study | Here | Same direction? | Why not |\n| --- | --- | --- | --- | --- |' || failed=1

model --sensitivity --workload MM --workload FWT --workload HY --seeds 5 >"$dir/sensitivity.csv"
"$program" plot tornado "$dir/sensitivity.csv" -o docs/img/chameleon-sensitivity.svg \
    --title 'Gains of Chameleon, one constant changed at a time'
# cluster COLUMN FILE TITLE: bars of the policies for each supply.
cluster() {
    grep -v '^#' "$dir/supply.csv" | awk -F, -v column="$1" '
        NR == 1 { for (i = 4; i <= NF; i++) if ($i == column) at = i; next }
        !($1 in seen) { seen[$1]; order[++n] = $1 }
        $3 != "energy" { value[$1, $3] = $at }
        END {
            print "# warpscape frame 1\n# labels: 1"
            for (i = split("performance threshold chameleon", policy, " "); i; i--)
                print "# column " policy[i] " unit=over%20energy"
            print "supply,performance,threshold,chameleon"
            for (i = 1; i <= n; i++)
                print order[i] "," value[order[i], "performance"] "," value[order[i], "threshold"] "," \
                    value[order[i], "chameleon"]
        }' | "$program" plot bars - -o "docs/img/chameleon-$2.svg" --title "$3"
}
cluster throughput_relative throughput 'Throughput over that of energy'
cluster mtbf_relative mtbf 'Mean time between failures over that of energy'
model --supply HpHv --workload FWT --policy chameleon --timeline "$dir/timeline.csv" --learning "$dir/learning.csv" \
    >"$dir/one.csv"
"$program" plot timeline "$dir/timeline.csv" -o docs/img/chameleon-timeline.svg \
    --title 'FWT on HpHv, a day with Chameleon'
"$program" plot timeline "$dir/learning.csv" -o docs/img/chameleon-learning.svg --title 'What Chameleon learns in it'
echo "$page: section Chameleon; docs/img/chameleon-*.svg"
exit "$failed"
