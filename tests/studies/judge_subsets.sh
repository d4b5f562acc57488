#!/usr/bin/env bash
# How well do subsets stand for all workloads? Simulates the suite on machines, chooses subsets by several methods from
# metrics that know no machine, and puts the errors of both tables into docs/statistics-accuracy.md. Half A: tiny inputs on a
# machine of 2 SMs, and twelve changes to it. Half B: small inputs on the whole card, and three changes. Frames that are
# in DIR are
# not made again; half B takes half an hour of processor time.
# usage: judge_subsets.sh PROGRAM DIR
set -eu -o pipefail
program=$(realpath "${1:?program}")
dir=$(realpath -m "${2:?folder for frames}")
cd "$(dirname "$0")/../.."
page=docs/statistics-accuracy.md
mkdir -p "$dir"

# The workloads of the study, whose blocks do not wait for one another.
workloads=$(sed -n 's/^\(STUDY\|BESIDE\)( *\([A-Z0-9]*\) *[,)].*/\2/p' data/workloads/study.def)
small_l2=(-c rtx2060-mini -s l2.sets=16 -s l2.warm=0) # an L2 that tiny inputs do not fit into
# frame NAME SCALE OPTION...: a frame of the simulator, made once.
frame() {
    local name=$1 scale=$2
    shift 2
    [ -s "$dir/$name.csv" ] || {
        echo "simulating $name" >&2
        # shellcheck disable=SC2086
        "$program" sim "$@" --suite --scale "$scale" $workloads >"$dir/part" 2>"$dir/$name.log"
        mv "$dir/part" "$dir/$name.csv"
    }
}
# shellcheck disable=SC2054 # several options of one machine are separated by commas
half_a=(sms4:chip.sms=4 chan2:memory.channels=2 mem15:chip.memory_clock=5250MHz nol1:l1.enabled=0 l1half:l1.ways=16 \
    l2x4:l2.sets=64
    core2:chip.core_clock=2000MHz sched2:sm.schedulers=2 gto:sm.scheduler=gto lat:l2.latency=100
    flit8:network.flit_bytes=8,reply.flit_bytes=8 half:sm.threads=512,sm.registers=32768)
half_b=(mem2:chip.memory_clock=7001MHz sms60:chip.sms=60 nol1:l1.enabled=0)
# sets OPTIONS: --set for each of a list separated by commas.
# shellcheck disable=SC2086
sets() { printf -- '-s\n%s\n' ${1//,/ }; }
frame A.base tiny "${small_l2[@]}"
frame B.base small -c rtx2060
for c in "${half_a[@]}"; do mapfile -t o < <(sets "${c#*:}"); frame "A.${c%%:*}" tiny "${small_l2[@]}" "${o[@]}"; done
for c in "${half_b[@]}"; do mapfile -t o < <(sets "${c#*:}"); frame "B.${c%%:*}" small -c rtx2060 "${o[@]}"; done
for half in A:tiny B:small; do
    db=$dir/${half#*:}.db
    # shellcheck disable=SC2086
    "$program" suite run --resume --scale "${half#*:}" --db "$db" $workloads 2>"$dir/suite.log"
    "$program" metrics --set study --db "$db" >"$dir/${half%:*}.study"
    "$program" metrics --db "$db" --set modern >"$dir/${half%:*}.modern"
    "$program" metrics --db "$db" --set performance >"$dir/${half%:*}.performance"
done

sizes=4,6,8,12
# errors HALF METRICS OUTCOMES METHOD WEIGHTS PCA-OPTION...: the frame of errors of subsets of one half, in folders of
# METRICS and OUTCOMES; judge: its rows alone.
errors() {
    local half=$1 metrics=$2 outcomes=$3 method=$4 weights=$5 changed=() f
    shift 5
    for f in "$outcomes/$half".*.csv; do [ "$f" = "$outcomes/$half.base.csv" ] || changed+=(--changed "$f"); done
    "$program" pca "$@" "$metrics" | "$program" subset - --method "$method" --sizes $sizes 2>/dev/null \
        >"$dir/subset.frame"
    "$program" evaluate "$outcomes/$half.base.csv" "${changed[@]}" --weights "$weights" --random 1000 \
        "$dir/subset.frame"
}
judge() { errors "$@" | grep -v '^#'; }
# cells random|chosen: four cells of the table, of a frame of errors.
cells() {
    awk -F, -v which="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n = NR - 2; level[n] = $at["average"]; beaten[n] = $at["percentile"]; change[n] = $at["changes"]; below[n] = $at["changes_percentile"]
          chance[n] = $at["random"]; other[n] = $at["changes_random"] }
        function list(of, form, by, i, text) {
            for (i = 0; i <= n; i++) text = text (i ? "/" : "") sprintf(form, of[i] * by)
            return text
        }
        END { if (which == "random") printf " | %s | 50 | %s | 50", list(chance, "%.0f", 100), list(other, "%.1f", 100)
              else printf " | %s | %s | %s | %s", list(level, "%.0f", 100), list(beaten, "%.0f", 1),
                  list(change, "%.1f", 100), list(below, "%.0f", 1) }'
}
# row NAME SET METHOD WEIGHTS PCA-OPTION...: a line of the table.
row() {
    local name=$1 set=$2 method=$3 weights=$4 half
    shift 4
    printf '| %s' "$name"
    for half in A B; do judge $half "$dir/$half.$set" "$dir" "$method" "$weights" "$@" | cells "$name"; done
    echo ' |'
}
{
    echo '| method | A: levels, % | worse than % of random | A: speedups, % | worse than | B: levels, % | worse than' \
        '| B: speedups, % | worse than |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    row random performance support method --ranks
    row 'study, `complete`' study complete equal
    row 'study, `complete`, weighted' study complete size
    row 'study, `support`' study support method
    row 'modern, `kmedoids`' modern kmedoids method --missing columns
    row 'performance, `complete`, weighted' performance complete size
    row 'performance, `kmedoids`' performance kmedoids method
    row 'performance, `support`' performance support method
    for m in complete ward; do row "ranks of performance, \`$m\`, weighted" performance $m size --ranks; done
    for m in kmeans kmedoids; do row "ranks of performance, \`$m\`" performance $m method --ranks; done
    row '**ranks of performance, `support`**' performance support method --ranks
} >"$dir/table.md"

# One suite is one draw. So once more for suites of 30 of the workloads, drawn 24 times: errors over those of random
# subsets, in the mean.
suites=24
for s in $(seq $suites); do
    mkdir -p "$dir/suite$s"
    # shellcheck disable=SC2086
    printf '%s\n' $workloads | awk -v s="$s" 'BEGIN { srand(s) } { print rand(), $1 }' | sort | head -30 |
        cut -d' ' -f2 >"$dir/suite$s/names"
    for f in "$dir"/[AB].*; do
        case $f in *.log) continue ;; esac
        awk -F, 'NR == FNR { keep[$1]; next } /^#/ || !header++ || $1 in keep' "$dir/suite$s/names" "$f" \
            >"$dir/suite$s/${f##*/}"
    done
done
# ratios NAME SET METHOD WEIGHTS PCA-OPTION...
ratios() {
    local name=$1 set=$2 method=$3 weights=$4 half s
    shift 4
    printf '| %s' "$name"
    for half in A B; do
        for s in $(seq $suites); do judge $half "$dir/suite$s/$half.$set" "$dir/suite$s" "$method" "$weights" "$@"; \
            done |
            awk -F, '/^subset/ { for (i = 1; i <= NF; i++) at[$i] = i; n = 0; times++; next }
                { level[n] += $at["average"] / $at["random"]; change[n++] += $at["changes"] / $at["changes_random"] }
                function list(of, i, text) {
                    for (i = 0; i < n; i++) text = text (i ? "/" : "") sprintf("%.2f", of[i] / times)
                    return text
                }
                END { printf " | %s | %s", list(level), list(change) }'
    done
    echo ' |'
}
{
    echo '| method | A: levels | A: speedups | B: levels | B: speedups |'
    echo '| --- | --- | --- | --- | --- |'
    ratios 'study, `complete`' study complete equal
    ratios 'study, `complete`, weighted' study complete size
    ratios 'ranks of performance, `complete`' performance complete equal --ranks
    for m in complete ward; do ratios "ranks of performance, \`$m\`, weighted" performance $m size --ranks; done
    for m in kmeans kmedoids; do ratios "ranks of performance, \`$m\`" performance $m method --ranks; done
    ratios 'performance, `support`' performance support method
    ratios '**ranks of performance, `support`**' performance support method --ranks
} >"$dir/ratios.md"
# put MARK TABLE: the table between the marks of the page.
put() {
    awk -v mark="<!-- $1 -->" -v table="$2" '
        $0 == mark { print; while ((getline line < table) > 0) print line; skip = 1; next }
        /^<!-- end -->/ { skip = 0 } !skip' "$page" >"$dir/page.md"
    cp "$dir/page.md" "$page"
}
put subsets "$dir/table.md"
put suites "$dir/ratios.md"

# What the features of half B look like, and the error of their subsets against chance, by size.
draw() { "$program" plot "$1" "$2" -o "docs/img/subsets-$3.svg" --title "$4" "${@:5}"; }
"$program" pca --ranks "$dir/B.performance" >"$dir/map.csv"
draw scores "$dir/map.csv" map 'Forty workloads by what predicts' --k 6
draw dendrogram "$dir/map.csv" tree 'Forty workloads by what predicts' --k 6
sizes=2,3,4,5,6,7,8,10,12,14,16,20
errors B "$dir/B.performance" "$dir" support method --ranks >"$dir/curve.csv"
draw curves "$dir/curve.csv" errors 'Error of levels by size of the subset' \
    --columns size,average,random_low,random_high
draw curves "$dir/curve.csv" speedups 'Error of speedups by size of the subset' \
    --columns size,changes,changes_random_low,changes_random_high
echo "$page: both tables; docs/img/subsets-*.svg"
