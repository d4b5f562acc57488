#!/usr/bin/env bash
# Measures what P. Dalmia, Reducing Synchronization and Communication Overheads in GPUs (2023), chapter 5, says of
# coherence between chiplets: the workloads of tests/studies/chiplets_workloads.txt on 2, 4 and 8 chiplets under each
# policy, by `model chiplets` at scales tiny and small and by the simulator at tiny, some at small, beside what she
# prints (data/published/chiplets.csv). Puts the tables into docs/reproduction-chiplets.md and draws its figures
# (docs/img/chiplets-*.svg). The last column of the claims is written by hand and stays with its claim; ends with 1 when
# a claim that does not hold has no such words. Traces, models and simulations stay in FOLDER, and are not made again:
# half an hour of processor time, or none. With WORKLOAD... their rows of the table of single workloads alone are made,
# and held against the page. With `caches` the tables of L2s, directories and homes that suit HMG less are put into the
# page, and what they need is run (ten minutes); with WORKLOAD... behind it their rows are held against the page.
# usage: reproduce_chiplets.sh PROGRAM [FOLDER [[caches] WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
# shellcheck source=tests/studies/chiplets_policies.sh
. "$(dirname "$0")/chiplets_policies.sh"
begin_study chiplets "$@"
part=
if [ "${sample%% *}" = caches ]; then part=caches sample=${sample#caches} sample=${sample# }; fi
mkdir -p "$dir/traces" "$dir/models" "$dir/sims"
list=tests/studies/chiplets_workloads.txt theirs=data/published/chiplets.csv page=docs/reproduction-chiplets.md

# NAME SCALE-CHIPLETS,... [OPTION=VALUE]...: models say all policies at once; keep: L2s keep others' lines, flat: rows
# of the table have no ranges, as the authors' public code has both.
models() {
    echo 'plain tiny-2,tiny-4,tiny-8,small-2,small-4,small-8'
    echo 'hashed tiny-4,small-2,small-4,small-8 package.home=hashed'
    echo 'keep tiny-4,small-4 package.remote_read=1 package.remote_store=back package.strict=1'
    echo 'flat small-4 package.ranges=0'
}
simulations() {
    for policy in $chiplet_policies; do echo "$policy tiny-2,tiny-4,tiny-8,small-4 $(chiplet_policy "$policy")"; done
}
# Smaller L2s and directories, and HMG's homes by hash: SETS of a slice, ENTRIES of a chip's directory, HOME; those that
# are simulated, too, have a word more: `alone` are these without the model,
# HMG with lines at home alone, not in L2s of who asks (that of the model always has both).
# tests/studies/chiplets_caches.awk says what is what.
cache_variants() {
    printf '%s\n' '256 3072 first-touch simulated' '64 768 first-touch' '16 192 first-touch simulated' \
        '4 48 first-touch simulated' '16 3072 first-touch' '4 3072 first-touch' \
        '256 192 first-touch' '256 48 first-touch simulated' '256 3072 hashed simulated' '256 192 hashed simulated' \
        '256 3072 first-touch alone' '256 3072 hashed alone'
}
cache_runs() { # models | simulations: as `runs` has them
    local sets entries home simulated kept name w workloads='GS SRAD2 HS LU BP GCL FW LUL H3D BABEL SQUARE' latency=''
    [ "$1" = models ] || workloads='SRAD2 BP GCL H3D BABEL SQUARE' latency=' package.latency=0' # seconds each
    for w in ${sample:-$workloads}; do
        cache_variants | while read -r sets entries home simulated; do
            if [ "$1" = models ]; then [ "$simulated" != alone ] || continue; else [ -n "$simulated" ] || continue; fi
            kept='package.remote_read=1 package.remote_store=back' name=hmg-$sets-$entries-$home
            [ "$simulated" != alone ] || kept='package.remote_read=0 package.remote_store=through' name+=-alone
            printf '%s\t%s\t%s\t%s\t%s\n' small "text-$sets" 4 "l2.sets=$sets package.coherence=cpcoh$latency" "$w"
            printf '%s\t%s\t%s\t%s\t%s\n' small "kept-$sets" 4 \
                "l2.sets=$sets package.coherence=cpcoh package.remote_read=1 package.remote_store=back package.strict=1$latency" "$w"
            printf '%s\t%s\t%s\t%s\t%s\n' small "$name" 4 \
                "l2.sets=$sets package.coherence=hmg l2.write=through $kept package.entries=$entries package.home=$home" "$w"
        done
    done | awk '!seen[$0]++' | tr '\t\n' '\0\0'
    [ -n "$sample" ] || other_runs "$1"
}
# What else claims hang on: where weights of networks are at home and whether their lines are kept, and data structures
# that the table tells apart.
other_runs() {
    local w of set
    if [ "$1" = models ]; then
        for w in PEN LUL HACC; do for of in 4 8 12 16; do printf '%s\0' small "arguments-$of" 4 \
            "package.arguments=$of" "$w"; done; done
        return
    fi
    # Times of all at tiny, those of the study and HMG with lines at home alone.
    local alone='package.coherence=hmg l2.write=through package.remote_read=0 package.remote_store=through' name on \
        options
    for w in $(awk '!/^#/ { print $1 }' "$list"); do
        simulations | while read -r name on options; do printf '%s\0' tiny "$name" 4 "$options" "$w"; done
        printf '%s\0' tiny hmg-alone 4 "$alone" "$w" tiny hashed-hmg-alone 4 "$alone package.home=hashed" "$w"
    done
    for w in GRU LSTM; do for of in text hashed link kept; do
        case $of in
            text) set= ;;
            hashed) set=package.home=hashed ;;
            link) set=link.latency=1 ;;
            kept) set='package.remote_read=1 package.remote_store=back package.strict=1' ;;
        esac
        printf '%s\0' tiny "$of-free" 4 "package.coherence=cpcoh package.latency=0 $set" "$w"
        printf '%s\0' tiny "$of-boundary" 4 "package.coherence=boundary ${set% package.strict=1}" "$w"
    done; done
}
machine() { case $1 in 2) echo two-chiplets ;; 4) echo four-chiplets ;; 8) echo eight-chiplets ;; esac }
# whole COMMAND...: its output into the file $to, kept when it is whole.
whole() {
    [ -s "$to" ] && return
    "$@" >"$to.new" 2>"$to.log" || { cat "$to.log" >&2; exit 1; }
    mv "$to.new" "$to"
}
trace() { # SCALE WORKLOAD
    [ -s "$dir/traces/$1/$2.wst" ] && return
    mkdir -p "$dir/traces/$1/$2.new"
    "$program" suite run --scale "$1" --db "$dir/traces/$1-$2.db" --trace "$dir/traces/$1/$2.new/" "$2" \
        >"$dir/traces/$1-$2.log" 2>&1 || { cat "$dir/traces/$1-$2.log" >&2; exit 1; }
    mv "$dir/traces/$1/$2.new/$2.wst" "$dir/traces/$1/"
    rmdir "$dir/traces/$1/$2.new"
}
# model SCALE NAME CHIPLETS OPTIONS WORKLOAD; simulate the same.
model() {
    local set=() option
    for option in $4; do set+=(--set "$option"); done
    to=$dir/models/$1-$3-$2-$5 whole "$program" model chiplets --config "$(machine "$3")" ${set[@]+"${set[@]}"} \
        "$dir/traces/$1/$5.wst"
}
simulate() {
    local set=() option at=$dir/sims/$1-$3-$2-$5
    [ -s "$at" ] && return
    for option in $4; do set+=(--set "$option"); done
    to=$at whole "$program" sim --config "$(machine "$3")" ${set[@]+"${set[@]}"} --power "$at.power" \
        "$dir/traces/$1/$5.wst"
}

scales='tiny small' chiplets='2 4 8'
[ -z "$sample" ] || scales=tiny chiplets=4
# Those of a table: SCALE NAME CHIPLETS OPTIONS WORKLOAD, one each; a workload has scales for models and for
# simulations.
runs() {
    local scale chips name on options w benchmark class models simulations
    for scale in $scales; do for chips in $chiplets; do
        "$1" | while read -r name on options; do
            [[ ",$on," == *",$scale-$chips,"* ]] || continue
            awk '!/^#/' "$list" | while read -r w benchmark class models simulations; do
                [[ -n $sample && " $sample " != *" $w "* ]] && continue
                [[ ,${!1}, == *",$scale,"* ]] && printf '%s\0' "$scale" "$name" "$chips" "$options" "$w"
                true
            done
        done
    done; done
}
if [ -n "$part" ]; then
    runs() { if [ -z "$sample" ] || [ "$1" = models ]; then cache_runs "$1"; fi; }
fi
export -f machine whole
# Each trace once, and whole, before those that read it.
{ runs models; runs simulations; } | xargs -0 -r -n 5 echo | awk '{ print $1, $NF }' | sort -u | tr ' \n' '\0\0' |
    in_parallel 2 trace
runs models | in_parallel 5 model
runs simulations | in_parallel 5 simulate
# Lines "SCALE BY CHIPLETS RUN WORKLOAD COLUMN VALUE", BY: model or sim. A model's run is its policy, with the name
# before it unless that is plain; the last row of a simulation is its total.
runs models | xargs -0 -r -n 5 echo | awk '{ print $1, $2, $3, $NF }' | while read -r scale name chips w; do
    awk -F, -v at="$scale model $chips" -v name="${name#plain}" -v w="$w" '
        /^#/ { next }
        !n++ { for (i = 5; i <= NF; i++) column[i] = $i; next }
        {
            for (i = 5; i <= NF; i++) if ($i != "NA") print at, name (name == "" ? "" : "-") $4, w, column[i], $i
        }' "$dir/models/$scale-$chips-$name-$w"
done >"$dir/values"
runs simulations | xargs -0 -r -n 5 echo | awk '{ print $1, $2, $3, $NF }' | while read -r scale name chips w; do
    at=$dir/sims/$scale-$chips-$name-$w
    for file in "$at" "$at.power"; do totals "$scale sim $chips $name $w" "$file"; done
done >>"$dir/values"
# Inputs and chiplets of her size, where she says how large: scale hers.
if [ -z "$part$sample" ]; then
    tests/studies/reproduce_chiplet_inputs.sh "$program" "$dir/inputs"
    awk '$1 !~ /:/ { print "hers sim 4", $2, $1, "cycles", $4 }' "$dir/inputs/values" >>"$dir/values"
fi
if [ -n "$part" ]; then
    # Of each model the policy that its run is of.
    sed -n -e 's/\(model 4 [tka][^ ]*\)-cpcoh /\1 /p' -e 's/\(model 4 hmg[^ ]*\)-hmg /\1 /p' -e '/ sim /p' \
        "$dir/values" >"$dir/cache_values"
    judge() {
        awk "$@" -f tests/studies/claims.awk -f tests/studies/chiplets_caches.awk "$list" FS=, "$theirs" FS=' ' \
            "$dir/cache_values"
    }
else
    judge() {
        awk "$@" -f tests/studies/claims.awk -f tests/studies/chiplets_claims.awk "$list" FS=, "$theirs" FS=' ' \
            "$dir/values"
    }
fi
if [ -n "$sample" ]; then
    judge -v sample=1 >"$dir/rows"
    [ -s "$dir/rows" ] || { echo "none of these workloads is in the table: $sample"; exit 1; }
    missing=$(grep -vxFf "$page" "$dir/rows") || exit 0
    printf '%s has no such row:\n%s\n' "$page" "$missing"
    exit 1
fi
judge -v dir="$dir"
if [ -n "$part" ]; then
    put_tables 0 caches caches_programs caches_times caches_weights caches_structures
    exit 0
fi

figure bars time 'Cycles over those of boundary, four chiplets, scale tiny, simulated' --width 1300
figure bars hits 'Loads that L2s serve, four chiplets, scale small, percent' --width 1300
figure bars operations 'Acquires and releases of cpcoh, of those of boundary, scale small, percent' --width 1300
figure bars traffic 'Flits between L2s and homes over those of boundary, four chiplets, scale small' --width 1300
figure bars energy 'Energy over that of boundary, four chiplets, scale small' --width 1300

# Tables between marks of the page; words in the last column stay with their claim.
put_tables 5 claims policies workloads small
check_words "chiplets claims" 5
