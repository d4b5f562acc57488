#!/usr/bin/env bash
# Measures what Dalmia, Reducing Synchronization and Communication Overheads in GPUs (2023), chapter 3, claims of local
# atomic buffers: the workloads of tests/studies/atomics_workloads.txt on the machines below, beside what it prints
# (data/published/atomics-benchmarks.csv). Puts the tables into docs/reproduction-atomics.md and draws its figures
# (docs/img/atomics-*.svg). The last column of the claims is written by hand and stays with its claim; ends with 1 when
# a claim that does not hold has no such words. Simulations stay in FOLDER, and are not made
# again: fifty minutes of processor time, or none; JOBS at a time [as many as there are processors]. With WORKLOAD...
# their rows of the table of single workloads alone are made, and held against the page. With `reasons` the tables of
# what was varied to explain misses are put into the page, and what they need is run: twenty minutes of processor time.
# usage: reproduce_atomics.sh PROGRAM [FOLDER [reasons | WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study atomics "$@"
part=
[ "$sample" != reasons ] || part=$sample sample=
mkdir -p "$dir/sims"
list=tests/studies/atomics_workloads.txt theirs=data/published/atomics-benchmarks.csv energies=data/tech/lab_12nm.ini \
    page=docs/reproduction-atomics.md

# RUN GROUPS MACHINE [OPTION=VALUE]...: on which machine the workloads of these groups run.
machines() {
    local lab='lab-mini sm.atomics=lab'
    echo 'base main,bins,sorts,gpgpu lab-mini sm.atomics=serial'
    echo "lab64 main,bins,sorts $lab atomics.entries=64"
    echo "lab8 main,bins $lab atomics.entries=8"
    echo "inf main,bins $lab atomics.unbounded=1"
    echo 'serialize main lab-mini sm.atomics=serialize'
    echo 'owned main,sorts,gpgpu lab-mini sm.atomics=owned'
    echo 'phi0 main,sorts,gpgpu lab-mini sm.atomics=phi atomics.fetch=0' # a load reads the line
    echo "lab0 gpgpu $lab atomics.entries=0 l1.ways=63" # what functions of lines take of the L1: four lines
    echo "lab16 main $lab atomics.entries=16"
    echo "lab128 main $lab atomics.entries=128"
    echo 'l1-24 main lab-mini sm.atomics=serial l1.ways=48'
    echo "held main $lab atomics.entries=64 atomics.flush=0" # no burst at the end
    echo 'phi1 main lab-mini sm.atomics=phi atomics.fetch=1' # an update reads it
    echo "lab252 main $lab atomics.entries=252" # all ways of the L1 but one, four lines
    echo "lab32 main $lab atomics.entries=32"
    echo 'l1-40 main lab-mini sm.atomics=serial l1.ways=80'
    # All 80 SMs.
    echo 'wide-base main lab sm.atomics=serial'
    echo 'wide-lab64 main lab sm.atomics=lab atomics.entries=64'
    echo 'wide-l1-24 main lab sm.atomics=serial l1.ways=48'
    # Other forms of graphs.
    echo 'base forms lab-mini sm.atomics=serial'
    echo "lab64 forms $lab atomics.entries=64"
    echo "lab8 forms $lab atomics.entries=8"
    echo "inf forms $lab atomics.unbounded=1"
    echo 'serialize forms lab-mini sm.atomics=serialize'
    echo 'l1-64 main lab-mini sm.atomics=serial l1.ways=128'
    # Inputs for a part of a machine.
    echo 'base shares lab-mini sm.atomics=serial'
    echo "lab64 shares $lab atomics.entries=64"
    # What may explain a miss, "RUN+VARIANT", without power. Blocks that an SM has at a time.
    local blocks entries option
    for blocks in 1 2; do
        echo "base+blocks$blocks blocks lab-mini sm.atomics=serial sm.blocks=$blocks"
        for entries in 16 64 128; \
            do echo "lab$entries+blocks$blocks blocks $lab atomics.entries=$entries sm.blocks=$blocks"; done
    done
    # SMs that may own a line; an L1 with room for all lines of CC; blocks dealt in turn, and all those of a picture to
    # one SM.
    for option in owned 'phi atomics.fetch=0'; do
        local run=phi0
        [ "$option" != owned ] || run=owned
        for blocks in 1 2; do echo "$run+sms$blocks few,owners lab-mini sm.atomics=$option chip.sms=$blocks"; done
        echo "$run+sms4 few lab-mini sm.atomics=$option chip.sms=4"
        echo "$run+ways1024 components lab-mini sm.atomics=$option l1.ways=1024"
        echo "$run+turns pictures lab-mini sm.atomics=$option"
        echo "$run+apart pictures lab-mini sm.atomics=$option chip.cta_scheduler=chunked cta.chunk=100000 cta.cap=2" \
            "cta.balance=0"
    done
    # L1s that take a line when a store misses.
    echo 'base+small allocates lab-mini sm.atomics=serial'
    echo 'base+back allocates lab-mini sm.atomics=serial l1.write=back l1.write_allocate=fetch'
    echo 'phi0+fetch allocates lab-mini sm.atomics=phi atomics.fetch=0 l1.write_allocate=fetch'
    echo 'phi0+back allocates lab-mini sm.atomics=phi atomics.fetch=0 l1.write=back l1.write_allocate=fetch'
    echo 'phi0+lazy allocates lab-mini sm.atomics=phi atomics.fetch=0 l1.write=back l1.write_allocate=lazy'
}
# Does a table of `reasons` have this RUN of NAME, a workload of these groups?
is_of_reasons() {
    case $1 in
        *+*) return 0 ;;
        base | serialize | owned) [[ $3 == main* ]] ;;
        phi0) [[ $3 == *owners* || $3 == *components* ]] ;;
        lab16 | lab64 | lab128) [[ $3 == *blocks* ]] ;;
        *) return 1 ;;
    esac
}

# simulate RUN MACHINE OPTIONS WORKLOAD SIZES SCALE: two files, kept when both are whole; of a variant one.
simulate() {
    local at="$dir/sims/$1-$4-$5-$6" with=()
    [[ $1 == *+* ]] || with+=(--power "$at.power")
    [ "$5" = - ] || with+=(--size "$5")
    simulated "$at" "$2" "$3" ${with[@]+"${with[@]}"} --suite "$4" --scale "$6"
}

runs='.*'
[ -z "$sample" ] || runs='base|serialize|lab8|lab64|inf|owned|phi0'
# What has to be simulated: RUN MACHINE OPTIONS WORKLOAD SIZES SCALE KERNELS NAME, one each.
cases() {
    local run groups machine options name workload kernels sizes of theirs group scale is
    machines | grep -E "^($runs) " | while read -r run groups machine options; do
        awk '!/^#/' "$list" | while read -r name workload kernels sizes of theirs; do
            [[ -n $sample && " $sample " != *" $name "* ]] && continue
            [ -z "$part" ] || is_of_reasons "$run" "$name" "$of" || continue
            scale=small is=
            case $of in few) scale=tiny ;; gpgpu*) [[ $run == *+* ]] || scale=tiny ;; esac
            for group in ${of//,/ }; do [[ ",$groups," != *",$group,"* ]] || is=1; done
            [ -z "$is" ] || printf '%s\0' "$run" "$machine" "$options" "$workload" "$sizes" "$scale" "$kernels" "$name"
        done
    done
}
# Kernels of one workload share a simulation.
cases | awk '
    BEGIN { RS = "\0"; ORS = "\0" }
    { f[(NR - 1) % 8] = $0 }
    NR % 8 == 0 { if (!seen[f[0], f[3], f[4], f[5]]++) for (i = 0; i < 6; i++) print f[i] }' |
    in_parallel 6 simulate

# Lines "RUN NAME COLUMN VALUE": sums over launches of the kernels that count; joules of the chip are watts times
# seconds.
cases | xargs -0 -n 8 bash -c 'printf "%s %s %s %s %s %s\n" "$1" "$4" "$5" "$6" "$7" "$8"' line |
    while read -r run workload sizes scale kernels name; do
    awk -F, -v run="$run $name" -v kernels="^($kernels)$" '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) column[i] = $i; next }
        $2 != "total" && $2 ~ kernels { for (i = 6; i <= NF; i++) sum[column[i]] += $i }
        END { for (c in sum) print run, c, sum[c] }' "$dir/sims/$run-$workload-$sizes-$scale.csv"
    [[ $run != *+* ]] || continue
    awk -F, -v run="$run $name" -v kernels="^($kernels)$" '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) if ($i == "joules") at = i; next }
        $2 != "total" && $2 ~ kernels { sum += $at }
        END { print run, "joules", sum + 0 }' "$dir/sims/$run-$workload-$sizes-$scale.power"
done >"$dir/values"

# Updates, of line requests to global memory of these kernels: of the engine, whatever the machine.
share() { # NAME WORKLOAD KERNELS SIZES
    local at="$dir/sims/share-$2-$4" with=()
    [ "$4" = - ] || with+=(--size "$4")
    if [ ! -s "$at.all" ]; then
        rm -f "$at.db"
        "$program" run --db "$at.db" --quiet --no-lines --set synchronization -- "$(dirname "$program")/workloads/$2" \
            --scale small "${with[@]}" >"$at.log" 2>&1 || { cat "$at.log" >&2; exit 1; }
        "$program" metrics --db "$at.db" --set synchronization --per kernel >"$at.kernels"
        "$program" metrics --db "$at.db" --set synchronization --per workload >"$at.new"
        mv "$at.new" "$at.all"
    fi
    local from="$at.kernels"
    [ "$3" != '.*' ] || from="$at.all"
    awk -F, -v name="$1" -v kernels="^($3)$" '
        /^#/ { next }
        !n++ {
            for (i = 1; i <= NF; i++) { if ($i == "contention_share_1") at = i; if ($i == "kernel") label = i }
            next
        }
        !label || $label ~ kernels { print "base", name, "share", $at }' "$from"
}
[ -n "$part" ] || awk '!/^#/ && $5 ~ /^(main|bins|sorts|forms)/' "$list" | while read -r name workload kernels sizes \
    _; do
    [[ -n $sample && " $sample " != *" $name "* ]] || share "$name" "$workload" "$kernels" "$sizes"
done >>"$dir/values"

judge() {
    awk "$@" -f tests/studies/claims.awk -f tests/studies/atomics_claims.awk -f tests/studies/atomics_reasons.awk \
        "$list" "$theirs" "$energies" \
        "$dir/values"
}
if [ -n "$sample" ]; then
    judge -v sample=1 >"$dir/rows"
    [ "$(wc -l <"$dir/rows")" -eq "$(wc -w <<<"$sample")" ] ||
        { echo "$list has no such workload of groups main, bins, sorts or forms: one of $sample" >&2; exit 1; }
    end_with_rows "$page"
fi
if [ -n "$part" ]; then
    judge -v dir="$dir" -v only="$part"
    put_tables 5 residency owners moved allocating
    exit 0
fi
# Sums of floats in buffers beside the same one by one, operands drawn at random.
if [ ! -s "$dir/sims/error" ]; then
    mkdir -p "$dir/traces"
    "$program" suite run --scale tiny --trace "$dir/traces" --db "$dir/traces.db" PRK BCE WGR CBW >"$dir/traces.log" \
        2>&1 || { cat "$dir/traces.log" >&2; exit 1; }
    "$program" model atomics --values "$dir/traces" >"$dir/sims/error.new"
    mv "$dir/sims/error.new" "$dir/sims/error"
fi
error=$(awk -F, '
    /^#/ { next }
    !n++ { for (i = 1; i <= NF; i++) if ($i == "worst_error") at = i; next }
    $at != "NA" && $at > most { most = $at }
    END { print most }' "$dir/sims/error")
judge -v dir="$dir" -v error="$error"

figure bars time 'Cycles over those with atomics at L2' --width 1400
figure bars traffic 'Bytes on the networks over those with atomics at L2' --width 1400
figure bars energy 'Energy of accesses over that with atomics at L2' --width 1400
figure bars hits 'Updates that find their line kept, by lines of the buffer' --width 1400

# Tables between marks of the page; words in the last column stay with their claim.
put_tables 5 claims configurations workloads wide gpgpu residency owners moved allocating
check_words "atomics claims" 5
