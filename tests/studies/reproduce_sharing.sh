#!/usr/bin/env bash
# Measures what Tabbakh, Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs (2018),
# claims of CTA scheduling and caches that know who shares (chapter 2), on the cycle simulator: the workloads of
# tests/studies/sharing_workloads.txt on `sharing` and `sharing-kepler`. Writes the tables of
# docs/reproduction-sharing.md and draws its figures (docs/img/sharing-*.svg). The last column of the claims is written
# by hand and stays with its claim; ends with 1 when a claim that does not hold has no such words. Traces and
# simulations stay in FOLDER, and are not made again: half an hour of processor time, or none. With WORKLOAD... their
# rows of the table of workloads alone are made, and held against the page.
# usage: reproduce_sharing.sh PROGRAM [FOLDER [WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study sharing "$@"
mkdir -p "$dir/sims"

# NAME CONFIG PROTOCOL [OPTION=VALUE]...; the first of a part is what the others are compared with.
machines() {
    local know='l1.allocate=fill l1.replacement=sharing-l1 l2.replacement=sharing-l2' \
        groups='chip.cta_scheduler=chunked'
    local qx_adpt="$groups cta.chunk=0 cta.balance=1"
    cat <<E2
rr sharing none
bcs sharing none chip.cta_scheduler=bcs
q8 sharing none $groups cta.chunk=8 cta.balance=0
q16 sharing none $groups cta.chunk=16 cta.balance=0
qx sharing none $groups cta.chunk=0 cta.balance=0
q8_adpt sharing none $groups cta.chunk=8 cta.balance=1
q16_adpt sharing none $groups cta.chunk=16 cta.balance=1
qx_adpt sharing none $qx_adpt
rr-know sharing none $know
bcs-know sharing none chip.cta_scheduler=bcs $know
know sharing none $qx_adpt $know
stream sharing none l1.replacement=streaming l2.replacement=streaming
kepler sharing-kepler none
kepler-know sharing-kepler none $qx_adpt $know
E2
}

# simulate NAME WORKLOAD CONFIG PROTOCOL OPTIONS: two files, kept when they are whole.
simulate() {
    local at="$dir/sims/$1-$2"
    simulated "$at" "$3" "$5" --protocol "$4" --power "$at.power" "$dir/traces-$6/$2.wst"
}

# NAME INPUT: a scale, or one with sizes behind it, SCALE,NAME=N.
workloads() {
    awk -v sample=" $sample " '
        !/^#/ && (sample == "  " || index(sample, " " $1 " ")) { print $1, $3 }' tests/studies/sharing_workloads.txt
}
trace() { # NAME INPUT
    local to="$dir/traces-$2" scale=${2%%,*} sizes=
    [ ! -s "$to/$1.wst" ] || return 0
    if [ "$scale" = "$2" ]; then
        "$program" suite run -j1 --scale "$scale" --trace "$to" -d "$dir/traces.db" "$1"
    else
        sizes=${2#*,}
        "$program" run -q -j1 -n "$1" -d "$dir/traces.db" --trace "$to" -- "$(dirname "$program")/workloads/$1" \
            --scale "$scale" --size "$sizes"
    fi >/dev/null 2>"$dir/log" || { cat "$dir/log" >&2; exit 1; }
}
pairs() { # of each: NAME WORKLOAD CONFIG PROTOCOL OPTIONS INPUT
    machines | grep -E "^(${1:-.*}) " | while read -r name config protocol options; do
        workloads | while read -r w input; do
            printf '%s\0' "$name" "$w" "$config" "$protocol" "$options" "$input"
        done
    done
}
workloads | while read -r w input; do trace "$w" "$input"; done
names=
[ -z "$sample" ] || names='rr|bcs|qx_adpt|know'
pairs "$names" | in_parallel 6 simulate
pairs "$names" | xargs -0 -r -n 6 echo | awk '{ print $1, $2 }' >"$dir/pairs"

# Lines "MACHINE WORKLOAD COLUMN VALUE" of totals, which are last, and of joules, by components, of all launches.
while read -r name w; do
    totals "$name $w" "$dir/sims/$name-$w.csv"
    awk -F, -v run="$name $w" '
        /^#/ { next }
        !n++ { for (i = 9; i <= NF; i++) column[i] = $i; next }
        { for (i = 9; i <= NF; i++) joules[column[i]] += $6 * $i; all += $8 }
        END {
            for (k in joules) print run, "J:" k, joules[k]
            print run, "J", all
        }' "$dir/sims/$name-$w.power"
done <"$dir/pairs" | LC_ALL=C sort >"$dir/values"
if [ -n "$sample" ]; then
    awk -v sample=1 -f tests/studies/claims.awk -f tests/studies/sharing_claims.awk \
        tests/studies/sharing_workloads.txt "$dir/values" >"$dir/rows"
    end_with_rows docs/reproduction-sharing.md
fi
awk -v dir="$dir" -f tests/studies/claims.awk -f tests/studies/sharing_claims.awk tests/studies/sharing_workloads.txt \
    "$dir/values" \
    >"$dir/claims.md"
# The same claims of those workloads alone that have a launch with more lines than L2: 768 KB of 128 bytes.
workloads | while read -r w input; do
    awk -F, -v w="$w" '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["launch"] + 0 > 0 && $at["blocks_used"] > 768 * 1024 / 128 { beyond = 1 }
        END { if (beyond) print w }' "$dir/sims/rr-$w.csv"
done >"$dir/beyond"
mkdir -p "$dir/beyond-frames"
{
    printf '| | claim | theirs | ours | same direction? |\n| --- | --- | --- | --- | --- |\n'
    awk -v dir="$dir/beyond-frames" -f tests/studies/claims.awk -f tests/studies/sharing_claims.awk "$dir/beyond" \
        "$dir/values"
    printf '\nThese are %s.\n' "$(paste -sd ' ' "$dir/beyond" | sed 's/ /, /g')"
} >"$dir/beyond.md"
# Metrics of the traces: how far apart the blocks of a launch are that share.
[ -s "$dir/metrics.csv" ] || { workloads | awk '{ print $1 }' | xargs "$program" suite run -j1 --scale tiny --set \
    modern -d "$dir/metrics.db" >/dev/null 2>&1 && "$program" metrics -d "$dir/metrics.db" --set modern \
    >"$dir/metrics.csv"; }
awk -F, '
    BEGIN {
        print "# warpscape frame 1\n# labels: 1"
        n = split("1 2 3 4 5-8 9-32 33-128 129%20and%20more", name, " ")
        for (i = 1; i <= n; i++) print "# column " name[i] " unit=share%20of%20pairs"
        n = 0
    }
    /^#/ { next } { gsub(/"[^"]*"/, "") }
    !n++ { for (i = 1; i <= NF; i++) at[$i] = i; print "workload,1,2,3,4,5-8,9-32,33-128,129 and more"; next }
    {
        printf "%s", $1
        for (i = 0; i < 8; i++) printf ",%s", $at["neighbours_distance_" i]
        print ""
    }' "$dir/metrics.csv" >"$dir/distance.csv"

# Times of CTAs of as many launches as the study shows, 70, of Gaussian elimination: in each step one of gs_multipliers,
# which has one CTA, and one of gs_eliminate.
[ -s "$dir/spread.sim" ] || logged "$dir/log" "$program" sim --config sharing --protocol none --suite GS \
    --size side=36 >"$dir/spread.sim"
awk -F, 'BEGIN { print "# warpscape frame 1\n# labels: 0"
        n = split("gs_eliminate%20shortest gs_eliminate%20mean gs_eliminate%20longest gs_multipliers", name, " ")
        for (i = 1; i <= n; i++) print "# column " name[i] " unit=cycles%20of%20a%20thread%20block" }
    /^#/ { next } !head { for (i = 1; i <= NF; i++) at[$i] = i; print "step,gs_eliminate shortest,gs_eliminate mean,gs_eliminate longest,gs_multipliers"; head = 1; next }
    $2 == "gs_multipliers" && $3 { one = $at["cta_cycles_mean"] }
    $2 == "gs_eliminate" && $3 {
        printf "%d,%s,%s,%s,%s\n", $3 / 2, $at["cta_cycles_min"], $at["cta_cycles_mean"], $at["cta_cycles_max"], one
    }' "$dir/spread.sim" >"$dir/spread.csv"

figure bars distance 'Pairs of CTAs that share a line, by the distance of one and the next' --stack --width 1400
figure bars sharers 'SMs that use a line, mean over lines, by CTA scheduler' --width 900
figure curves cdf 'Lines that so many SMs use, or fewer: mean over workloads'
figure curves spread 'Gaussian elimination: time of thread blocks, step by step' --width 900
figure bars time 'Cycles over those of round robin, by CTA scheduler, mean' --width 900
figure bars management \
    'Over round robin with plain caches; +: caches that know who shares; off: that turn themselves off' --width 900
figure bars groups 'Groups of a row with caches that know who shares, over round robin with plain ones' --width 1100 \
    --limit 2
figure bars kepler 'The same with the L2 of 2 MB' --width 900

page=docs/reproduction-sharing.md
put_tables 6 claims beyond workloads
check_words "sharing claims" 6
