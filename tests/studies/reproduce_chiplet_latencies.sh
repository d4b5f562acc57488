#!/usr/bin/env bash
# A command processor that is told and says things sooner: P. Dalmia, Reducing Synchronization and Communication
# Overheads in GPUs (2023), chapter 5, has launches of inputs that keep a whole chiplet of 60 compute units busy, of
# which our machines have a quarter and far smaller inputs; so what 2 us one way costs is simulated beside a quarter, a
# sixteenth and none of it. Puts the table into docs/reproduction-chiplets.md. Simulations stay in FOLDER, and are not
# made again: minutes of processor time, or none.
# usage: reproduce_chiplet_latencies.sh PROGRAM [FOLDER]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
# shellcheck source=tests/studies/chiplets_policies.sh
. "$(dirname "$0")/chiplets_policies.sh"
begin_study chiplet-latencies "$@"
page=docs/reproduction-chiplets.md
workloads='tiny-GCL tiny-SSP tiny-BABEL tiny-SQUARE tiny-H3D small-GCL small-SSP' \
    runs='boundary 2000 500 125 0 hashed-hmg'
simulate() { # SCALE-WORKLOAD RUN: a policy, or cpcoh with so many nanoseconds one way
    local at=$dir/$1-$2 set=(package.coherence=cpcoh "package.latency=$2")
    [ -s "$at" ] && return
    [ -s "$dir/${1%-*}/${1#*-}.wst" ] || "$program" suite run --scale "${1%-*}" --db "$dir/$1.db" \
        --trace "$dir/${1%-*}" "${1#*-}" >"$dir/$1.log" 2>&1
    # shellcheck disable=SC2207
    [[ $2 == [0-9]* ]] || set=($(chiplet_policy "$2"))
    # shellcheck disable=SC2046
    logged "$at.log" "$program" sim --config four-chiplets $(printf -- '--set %s ' "${set[@]}") \
        "$dir/${1%-*}/${1#*-}.wst" >"$at.new"
    mv "$at.new" "$at"
}
for w in $workloads; do for run in $runs; do simulate "$w" "$run"; done; done
value() { # SCALE-WORKLOAD RUN COLUMN
    awk -F, -v name="$3" '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { row = $0 }
        END { split(row, v, ","); print name == "launches" ? n - 2 : v[at[name]] }' "$dir/$1-$2"
}
{
    echo '| | launches | us a launch, boundary | operations: boundary, cpcoh | L2 misses, of boundary | cycles over' \
        'boundary: 2 us | 0.5 us | 0.125 us | none | hmg |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    for w in $workloads; do
        echo "$w $(value "$w" boundary launches) $(value "$w" boundary package_acquires) $(value "$w" boundary \
            package_releases) $(value "$w" 2000 package_acquires) $(value "$w" 2000 package_releases)" \
            "$(value "$w" boundary l2_misses) $(value "$w" 2000 l2_misses) $(for run in $runs; do value "$w" "$run" \
                cycles; done | tr '\n' ' ')"
    done | awk \
        '{ sub(/-/, ", ", $1); printf "| %s | %d | %.1f | %d: %d + %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n",
        $1, $2, $9 / $2 / 1801, $3 + $4, $5, $6, $8 / $7, $10 / $9, $11 / $9, $12 / $9, $13 / $9, $14 / $9 }'
} >"$dir/latencies.md"
put_table "chiplets latencies" "$dir/latencies.md"
