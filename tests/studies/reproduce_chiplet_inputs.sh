#!/usr/bin/env bash
# Inputs of her size on chiplets of her size: P. Dalmia, Reducing Synchronization and Communication Overheads in GPUs
# (2023), chapter 5, has chiplets of 60 compute units, of which two-, four- and eight-chiplets have a quarter. The
# programs of tests/studies/chiplets_inputs.txt on four of them under each policy, simulated, beside what she prints
# (data/published/chiplets.csv). Puts the table into docs/reproduction-chiplets.md and draws
# docs/img/chiplet-inputs-time.svg. Traces and simulations stay in FOLDER, and are not made again: half an hour of
# processor time, or none. With WORKLOAD... their rows alone are made, and held against the page.
# usage: reproduce_chiplet_inputs.sh PROGRAM [FOLDER [WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
# shellcheck source=tests/studies/chiplets_policies.sh
. "$(dirname "$0")/chiplets_policies.sh"
begin_study chiplet-inputs "${1:-}" "${2:-build/chiplets/inputs}" "${@:3}" # where the study has it
page=docs/reproduction-chiplets.md list=tests/studies/chiplets_inputs.txt theirs=data/published/chiplets.csv
rows() { awk -v sample=" $sample " '/^#/ || NF < 4 { next } sample == "  " || index(sample, " " $1 " ")' "$list"; }
trace() { # WORKLOAD SIZES
    local size=()
    [ ! -s "$dir/$1.wst" ] || return 0
    [ "$2" = - ] || size=(--size "$2")
    mkdir -p "$dir/$1.new"
    logged "$dir/$1.log" "$program" suite run --scale study ${size[@]+"${size[@]}"} --db "$dir/$1.db" \
        --trace "$dir/$1.new" "${1%:*}"
    mv "$dir/$1.new/${1%:*}.wst" "$dir/$1.wst"
}
simulate() { # WORKLOAD POLICY
    local at=$dir/$1-$2
    [ ! -s "$at" ] || return 0
    # shellcheck disable=SC2046
    logged "$at.log" "$program" sim --config four-chiplets $(printf -- '--set %s ' chip.sms=60 memory.channels=16 \
        $(chiplet_policy "$2")) "$dir/$1.wst" >"$at.new"
    mv "$at.new" "$at"
}
rows | awk '{ print $1; print $4 }' | tr '\n' '\0' | in_parallel 2 trace
for policy in $chiplet_policies; do rows | awk -v policy="$policy" '{ print $1; print policy }'; done | tr '\n' '\0' |
    in_parallel 2 simulate
# Lines "WORKLOAD POLICY LAUNCHES COLUMN..." of what is wanted of each.
rows | while read -r w benchmark input size; do
    for policy in $chiplet_policies; do
        awk -F, -v run="$w $policy" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { row = $0 }
            END {
                split(row, v, ",")
                print run, n - 2, v[at["cycles"]], v[at["l2_misses"]], v[at["package_acquires"]],
                    v[at["package_releases"]]
            }' "$dir/$w-$policy"
    done
done >"$dir/values"
rows >"$dir/list"
awk -v of="$sample" -f tests/studies/chiplets_inputs.awk "$dir/list" FS=, "$theirs" FS=' ' "$dir/values" \
    >"$dir/inputs.md"
if [ -n "$sample" ]; then
    cp "$dir/inputs.md" "$dir/rows"
    end_with_rows "$page"
fi
put_table "chiplets inputs" "$dir/inputs.md"
{
    printf '# warpscape frame 1\n'
    printf '# column %s unit=cycles%%20over%%20boundary\n' cpcoh free hmg hmg_by_first_touch
    printf '# labels: 1\nworkload,cpcoh,free,hmg,hmg_by_first_touch\n'
    awk '{ cycles[$1, $2] = $4 } !seen[$1]++ { list[++count] = $1 }
        END {
            for (i = 1; i <= count; i++) {
                w = list[i]; b = cycles[w, "boundary"]
                printf "%s,%.4f,%.4f,%.4f,%.4f\n", w, cycles[w, "cpcoh"] / b, cycles[w, "free"] / b,
                    cycles[w, "hashed-hmg"] / b, cycles[w, "hmg"] / b
            }
        }' "$dir/values"
} >"$dir/time.csv"
figure bars time 'Cycles over those of boundary, inputs and four chiplets of her size, simulated' --width 1200
