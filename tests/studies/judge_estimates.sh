#!/usr/bin/env bash
# How wrong are estimates of all workloads from members and a base machine, and how often do their intervals hold? Simulates
# two sets of workloads with tiny inputs on eight machines, draws and chooses members, and puts the tables into
# docs/statistics.md and docs/estimates.md. The defaults of cluster/widening.def were set with the first set on gtsc, fermi and rtx3090. Frames that
# are in DIR are not made again; all of them take an hour and a half of processor time.
# usage: judge_estimates.sh PROGRAM DIR
set -eu -o pipefail
program=$(realpath "${1:?program}")
dir=$(realpath -m "${2:?folder for frames}")
cd "$(dirname "$0")/../.."
statistics=docs/statistics.md estimates=docs/estimates.md
mkdir -p "$dir"
# P: the 40 of the first study, and 21 of suite D; Q: 29 others, none of which wait for one another.
# shellcheck disable=SC2034 # by their names, as ${!set}
P="MM MT PR SLA BFS HS NW KM BS BN 64H FWT BP SRAD SS CP MRIF MRIQ LPS LIB LV CS SP PF ST3D NE HY MUM NQU STO GS LU NN CL
    PNS WP AES RAY DG SAD ATAX BICG MVT GES SYRK SYR2K 2MM 3MM 2DC 3DC COV COR FD GSM SPMV KMN SC IIX PVC PFL LBM"
# shellcheck disable=SC2034
Q="SGM BTREE CUT HWL LEU CUTS SHARE HIS PRK SSP GCL MIS BCE LSTM GRU WGR CCA CBW HUF BABEL SQUARE H3D FW CNN DWT PEN LUL
    HACC SRAD2"
machines="gtsc fermi rtx3090 qv100 h100 baseline lab-mini photonic-swmr"
sizes=6,8,12,16,20
sizes_all=$sizes
draws=50
for set in P Q; do
    for m in $machines; do
        [ -s "$dir/$m.$set.csv" ] || {
            echo "simulating $set on $m" >&2
            options=()
            [ "$m" = lab-mini ] && options=(-s sm.atomic_stall=0)
            # shellcheck disable=SC2086
            "$program" sim -c "$m" "${options[@]}" --suite --scale tiny ${!set} >"$dir/part" 2>"$dir/$m.$set.log" || cat "$dir/$m.$set.log" >&2
            mv "$dir/part" "$dir/$m.$set.csv"
        }
    done
    db=$dir/$set.db
    # shellcheck disable=SC2086
    "$program" suite run --resume --scale tiny --db "$db" ${!set} 2>"$dir/suite.log"
    "$program" metrics --db "$db" --set performance | "$program" pca --ranks - >"$dir/$set.scores"
    # Workloads that ended on every machine.
    for m in $machines; do grep -v '^#' "$dir/$m.$set.csv" | awk -F, '$4 == "done" { print $1 }' | sort -u; done | sort | uniq -c |
        awk '$1 == 8 { print $2 }' >"$dir/$set.names"
    for f in "$dir"/*."$set".csv "$dir/$set.scores"; do
        awk -F, 'NR == FNR { keep[$1]; next } /^#/ || !header++ || $1 in keep' "$dir/$set.names" "$f" >"$dir/common.${f##*/}"
    done
done
# members SET BASE HOW: files of subsets.
members() {
    rm -f "$dir"/members.*.csv
    if [ "$3" = chosen ]; then
        "$program" subset "$dir/common.$1.scores" --sizes $sizes >"$dir/members.1.csv" 2>/dev/null
    else
        for s in $(seq $draws); do
            "$program" subset --draw --base "$dir/common.$2.$1.csv" --sizes $sizes --seed "$s" >"$dir/members.$s.csv"
        done
    fi
}
# judge SET BASE NEW: errors of means, of estimates, coverage and half-width, a line per subset: SIZE NUMBERS
judge() {
    local new=$dir/common.$3.$1.csv base=$dir/common.$2.$1.csv
    paste -d' ' <("$program" evaluate "$new" "$dir"/members.*.csv | columns size average) \
        <("$program" evaluate "$new" --base "$base" "$dir"/members.*.csv | columns average covered half_width)
}
columns() { grep -v '^#' | awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
    { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'; }
# row NAME SET HOW BASE NEW...: cells are averages over the new machines and draws, by size.
row() {
    local name=$1 set=$2 how=$3 base=$4 m
    shift 4
    members "$set" "$base" "$how"
    for m in "$@"; do judge "$set" "$base" "$m"; done |
        awk -v name="$name" -v sizes="$sizes" '{ n[$1]++; mean[$1] += $2; estimate[$1] += $3; held[$1] += $4; half[$1] += $5 }
            function list(of, i, text) {
                for (i = 1; i <= k; i++) text = text (i > 1 ? "/" : "") sprintf("%.0f", 100 * of[size[i]] / n[size[i]])
                return text
            }
            END { k = split(sizes, size, ",")
                printf "| %s | %s | %s | %s | %s |\n", name, list(mean), list(estimate), list(held), list(half) }'
}
{
    echo '| members, base and new machines | error of means, % | error of estimates, % | intervals that hold, % | half-width, % |'
    echo '| --- | --- | --- | --- | --- |'
    row 'set: P, gtsc to fermi, rtx3090' P drawn gtsc fermi rtx3090
    row 'P, gtsc to the other five' P drawn gtsc qv100 h100 baseline lab-mini photonic-swmr
    row 'P, qv100 to four' P drawn qv100 h100 baseline lab-mini photonic-swmr
    row '**Q, gtsc to all seven**' Q drawn gtsc fermi rtx3090 qv100 h100 baseline lab-mini photonic-swmr
    row '**Q, qv100 to four**' Q drawn qv100 h100 baseline lab-mini photonic-swmr
    row 'P, gtsc to all seven, support points' P chosen gtsc fermi rtx3090 qv100 h100 baseline lab-mini photonic-swmr
    row '**Q, gtsc to all seven, support points**' Q chosen gtsc fermi rtx3090 qv100 h100 baseline lab-mini photonic-swmr
} >"$dir/estimates.md"
# One machine each: what a user sees at 12 members.
{
    echo '| from gtsc to | error of means, % | error of estimates, % | intervals that hold, % | half-width, % |'
    echo '| --- | --- | --- | --- | --- |'
    sizes=12
    for m in ${machines#gtsc }; do row "$m" P drawn gtsc "$m"; done
} >"$dir/pairs.md"
# learned SET: the factor that further bases give, and how often intervals hold on machines that are no base.
learned() {
    local set=$1 n s m new=() others="h100 baseline lab-mini photonic-swmr"
    for m in $others; do new+=(--new "$dir/common.$m.$set.csv"); done
    local base=(--base "$dir/common.gtsc.$set.csv") further=()
    for m in fermi rtx3090 qv100; do further+=(--base "$dir/common.$m.$set.csv"); done
    "$program" subset --draw "${base[@]}" --sizes "$(wc -l <"$dir/$set.names")" >"$dir/all.csv"
    "$program" estimate "$dir/all.csv" "${base[@]}" "${new[@]}" 2>/dev/null >"$dir/truth.csv"
    for n in 6 12 20; do
        for s in $(seq 20); do
            "$program" subset --draw "${base[@]}" --sizes $n --seed "$s" >"$dir/drawn.csv"
            "$program" estimate "$dir/drawn.csv" "${base[@]}" "${further[@]}" "${new[@]}" --draws 100 2>/dev/null
        done | awk -F, -v n=$n -v set="$set" '
            NR == FNR { if (!/^#/) truth[$1, $2] = $4; next }
            / widened by / { sub(/.*widened by /, ""); factor += $1 + 0; times++ }
            /^#/ || /^machine,/ || / of cycles,/ { next }
            { t = truth[$1, $2]; all++; held += t >= $5 && t <= $6; half += t ? ($6 - $5) / 2 / t : 0 }
            END { printf "| %s | %d | %.2f | %.0f | %.0f |\n", set, n, factor / times, 100 * held / all, 100 * half / all }' \
            "$dir/truth.csv" -
    done
}
{
    echo '| workloads | members | factor | intervals that hold, % | half-width, % |'
    echo '| --- | --- | --- | --- | --- |'
    learned P
    learned Q
} >"$dir/learned.md"
# What a user asks: of how many simulations comes which error, with which confidence?
awk -F'|' -v sizes="$sizes_all" -v p="$(wc -l <"$dir/P.names")" -v q="$(wc -l <"$dir/Q.names")" '
    /^\| P, gtsc to the other five/ { for (i = 3; i <= 6; i++) of_p[i] = $i }
    /^\| \*\*Q, gtsc to all seven\*\*/ { for (i = 3; i <= 6; i++) of_q[i] = $i }
    function cell(text, at, part) {
        split(text, part, "/")
        gsub(/ /, "", part[at])
        return " | " part[at]
    }
    function cells(of, at) { return cell(of[3], at) cell(of[4], at) cell(of[6], at) cell(of[5], at) }
    END {
        print "| simulated | error of the members, % | of the estimate, % | 95 % interval, +- % | holds in % | of " q \
            " others: members, % | estimate, % | interval, +- % | holds in % |"
        print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        n = split(sizes, size, ",")
        for (at = 1; at <= n; at++) print "| " size[at] " of " p cells(of_p, at) cells(of_q, at) " |"
    }' "$dir/estimates.md" >"$dir/case.md"
put() { # MARK TABLE PAGE
    awk -v mark="<!-- $1 -->" -v table="$2" '
        $0 == mark { print; while ((getline line < table) > 0) print line; skip = 1; next }
        /^<!-- end -->/ { skip = 0 } !skip' "$3" >"$dir/page.md"
    cp "$dir/page.md" "$3"
}
put case "$dir/case.md" $statistics
put estimates "$dir/estimates.md" $statistics
put pairs "$dir/pairs.md" $estimates
put learned "$dir/learned.md" $estimates
echo "$statistics, $estimates: tables"
