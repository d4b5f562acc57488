#!/usr/bin/env bash
# Do estimates of `warpscape run --sample` keep what they promise? Runs ten programs of many launches whole and sampled,
# holds every column of the one against that of the other, and prints the table of docs/cuda-details.md ("Accuracy of sampling"):
#   launches, of them measured; seconds of CPU time whole and sampled; columns with a bound, of them those whose bound
#   is within the tolerance, those whose error is within the tolerance, and those whose error is within their bound; the
#   worst error.
# Bounds are 95 % intervals: over all programs at least 90 % of them have to hold, and 90 % of the errors have to be
# within the tolerance.
# usage: run_sampling.sh PROGRAM [TOLERANCE [SEED]]
set -u
program=$(realpath "${1:?program}")
tolerance=${2:-5} seed=${3:-1}
workloads=$(dirname "$program")/workloads
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
TIMEFORMAT='%U %S'

# run NAME DB OPTION...: runs the workload of that name; prints CPU seconds.
run() {
    local name=$1 db=$2
    shift 2
    # shellcheck disable=SC2086
    { time "$program" run -q -j 1 -d "$db" "$@" -- "$workloads/$name" ${arguments[$name]} >/dev/null; } 2>&1 |
        awk 'END { printf "%.1f", $1 + $2 }'
}

# A frame of one row as lines "column value unit".
columns() {
    "$program" metrics --set all --definitions "$@" | awk '
        /^# column / { for (i = 4; i <= NF; i++) if ($i ~ /^unit=/) unit[$3] = substr($i, 6); next }
        /^#/ { next }
        !names { names = $0; n = split($0, name, ","); next }
        { split($0, value, ","); for (i = 2; i <= n; i++) print name[i], value[i],
            (name[i] in unit ? unit[name[i]] : "-") }'
}

declare -A arguments=([LV]='--scale small' [GS]='--scale small' [NW]='--scale small --repeat 2' \
    [SS]='--scale small --repeat 2'
    [LU]='--scale small --repeat 4' [BFS]='--scale tiny --repeat 60' [SRAD]='--scale small --repeat 30' \
        [HS]='--scale tiny --repeat 60'
    [KM]='--scale tiny --repeat 20' [HY]='--scale tiny --repeat 20')
echo '| program | launches | measured | CPU s, all | CPU s, sampled | columns | bound within | error within | error' \
    'below bound | worst error |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
for name in LV GS NW SS LU BFS SRAD HS KM HY; do
    before=$(run "$name" whole.db)
    after=$(run "$name" sampled.db --sample "$tolerance" --seed "$seed")
    columns -d whole.db >whole.txt
    columns -d sampled.db >sampled.txt
    columns -d sampled.db --bounds >bounds.txt
    shape=$("$program" launches -d sampled.db | awk -F, 'NR > 1 { n++; m += $(NF - 3) == "Y" } END { print n " | " m }')
    paste -d ' ' whole.txt sampled.txt bounds.txt | awk -v tolerance="$tolerance" -v name="$name" -v shape="$shape" \
        -v before="$before" -v after="$after" '
        function size(x) { return x < 0 ? -x : x }
        $1 != $4 || $1 != $7 { print "the columns differ: " $1 " " $4 " " $7 > "/dev/stderr"; exit 1 }
        $8 == "NA" || $2 == "NA" { next }
        {
            scale = $3 == "ratio" || $3 == "fraction" ? 1 : size($2)
            if ($3 == "ratio" && size($2) > 1) scale = size($2)
            if ($3 == "1/kinstr" && scale < 10) scale = 10
            error = size($5 - $2); noise = 1e-6 * size($2) + 1e-12
            if (error < noise) error = 0
            relative = scale > 0 ? error / scale : error > 0
            n++
            bound += $8 <= scale * tolerance / 100 + noise
            within += relative <= tolerance / 100
            held += error <= $8 + noise
            if (relative > worst) { worst = relative; where = $1 }
        }
        END {
            printf "| %s | %s | %s | %s | %d | %d | %d | %d | %s |\n", name, shape, before, after, n, bound, within,
                held,
                (worst > 0 ? sprintf("%.2g %% (%s)", 100 * worst, where) : "0")
        }'
    rm -f ./*.db*
done | tee table
awk -F'|' '{ n += $7; within += $9; held += $10; programs++ }
    END {
        printf "note: %d programs; %.1f %% of the errors within the tolerance, %.1f %% below their bound\n", programs,
            100 * within / n, 100 * held / n
        good = programs == 10 && held >= 0.9 * n && within >= 0.9 * n
        print "sampling: " (good ? "1 passed, 0 failed" : "0 passed, 1 failed")
        exit !good
    }' table
