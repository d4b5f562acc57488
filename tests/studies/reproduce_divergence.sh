#!/usr/bin/env bash
# Measures what Wang, Mitigating GPU Memory Divergence for Data-Intensive Applications (2015), claims of set indices,
# divergence-aware caches and occlusion-aware warp schedulers, on the cycle simulator: the workloads of
# tests/studies/divergence_workloads.txt on the small machines `fup-mini`, `dacache-mini` and `oaws-mini` with each
# policy below, and all three mechanisms together, which nobody has. Puts the tables into docs/reproduction.md, section
# Memory divergence, and draws its figures (docs/img/divergence-*.svg). The last column of the claims is written by hand
# and stays with its claim; ends with 1 when a claim that does not hold has no such words. Traces and simulations stay
# in FOLDER, and are not made again: forty minutes of processor time, or none. With WORKLOAD... their rows of the table
# of speeds alone are made, and held against the page.
# usage: reproduce_divergence.sh PROGRAM [FOLDER [WORKLOAD...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study divergence "$@"
mkdir -p "$dir/sims" "$dir/traces"

# NAME CLASSES PARTS CONFIG [OPTION=VALUE]...: for workloads of one of the classes and parts.
machines() {
    local all=adc lru='l1.replacement=lru l1.bypass=0' dynamic='sm.scheduler=oaws'
    cat <<E2
conv $all f fup-mini l1.index=linear
wide $all f fup-mini l1.index=linear l1.sets=8 l1.ways=32
bxor $all f fup-mini l1.index=xor
pdisp $all f fup-mini l1.index=pdisp
fup $all f fup-mini
lru $all d dacache-mini $lru
rrip $all d dacache-mini l1.replacement=drrip l1.bypass=0 l1.rrpv=3 l1.frequency=1
dip $all d dacache-mini l1.replacement=dip l1.bypass=0
uncon $all d dacache-mini l1.constrained=0 l1.bypass=0
stall $all d dacache-mini l1.constrained=1 l1.bypass=0
dacache $all d dacache-mini
gto $all o oaws-mini
mascar $all o oaws-mini sm.scheduler=mascar scheduler.reexecute=32
ccws $all o oaws-mini sm.scheduler=ccws
static $all o oaws-mini sm.scheduler=oaws scheduler.mode=0
fcw $all o oaws-mini sm.scheduler=oaws scheduler.mode=2
dynamic $all o oaws-mini $dynamic
gto-miss ad o oaws-mini l1.allocate=miss
mascar-miss ad o oaws-mini l1.allocate=miss sm.scheduler=mascar scheduler.reexecute=32
ccws-miss ad o oaws-mini l1.allocate=miss sm.scheduler=ccws
E2
    for n in 0 1 2 3; do # warps of a scheduler that are protected
        local fixed="l1.learn=0 l1.protect=$((2 * n))"
        echo "uncon-$n ad d dacache-mini $fixed l1.constrained=0 l1.bypass=0"
        echo "stall-$n ad d dacache-mini $fixed l1.constrained=1 l1.bypass=0"
        echo "dacache-$n ad d dacache-mini $fixed"
    done
    for n in 0 1 2 3 5; do echo "promote-$n ad d dacache-mini l1.promote=$n"; done
    for n in 1 2 3 4 6; do echo "swl-$n ad o oaws-mini sm.scheduler=swl scheduler.limit=$n"; done
    for n in 5 10 20 25 30 35 40 60 70 80 90 100; \
        do echo "smr-$n ad o oaws-mini sm.scheduler=oaws scheduler.mode=0 scheduler.smr=$n"; done
    # Room for two memory instructions in front of the L1, not eight: what the oldest warps get of it.
    local two='sm.memory_queue=2'
    echo "two-lru ad d dacache-mini $lru $two"
    echo "two-rrip ad d dacache-mini l1.replacement=drrip l1.bypass=0 l1.rrpv=3 l1.frequency=1 $two"
    echo "two-dip ad d dacache-mini l1.replacement=dip l1.bypass=0 $two"
    echo "two-uncon ad d dacache-mini l1.constrained=0 l1.bypass=0 $two"
    echo "two-dacache ad d dacache-mini $two"
    echo "two-gto ad o oaws-mini $two"
    echo "two-ccws ad o oaws-mini sm.scheduler=ccws $two"
    echo "two-static ad o oaws-mini sm.scheduler=oaws scheduler.mode=0 $two"
    echo "two-swl-1 ad o oaws-mini sm.scheduler=swl scheduler.limit=1 $two"
    echo "two-swl-2 ad o oaws-mini sm.scheduler=swl scheduler.limit=2 $two"
    echo "two-fcw ad o oaws-mini sm.scheduler=oaws scheduler.mode=2 $two"
    echo "two-dynamic ad o oaws-mini $dynamic $two"
    echo "small-stall a d dacache-mini l1.constrained=1 l1.bypass=0 l1.most=6"
    # All together, and each two, on the machine of DaCache; `lru` and `dacache` are there already.
    echo "fup-lru ad d dacache-mini l1.index=fup $lru"
    echo "fup-dacache ad d dacache-mini l1.index=fup"
    echo "lru-oaws ad d dacache-mini $lru $dynamic"
    echo "dacache-oaws ad d dacache-mini $dynamic"
    echo "fup-lru-oaws ad d dacache-mini l1.index=fup $lru $dynamic"
    echo "fup-dacache-oaws ad d dacache-mini l1.index=fup $dynamic"
}

# simulate NAME WORKLOAD CONFIG OPTIONS: a file, kept when it is whole.
simulate() { simulated "$dir/sims/$1-$2" "$3" "$4" "$dir/traces/$2.wst"; }

names='.*'
[ -z "$sample" ] || names='conv|bxor|pdisp|fup|lru|rrip|dip|uncon|stall|dacache|gto|mascar|ccws|static|fcw|dynamic'
chosen() { machines | grep -E "^($names) "; }
workloads() {
    awk -v sample=" $sample " '!/^#/ && (sample == "  " || index(sample, " " $1 " "))' \
        tests/studies/divergence_workloads.txt
}
pairs() { # those of each machine: NAME WORKLOAD CONFIG OPTIONS, one each
    chosen | while read -r name classes parts config options; do
        workloads | while read -r w class of _; do
            [[ $classes == *$class* && $of == *$parts* ]] && printf '%s\0' "$name" "$w" "$config" "$options"
            true
        done
    done
}
workloads | while read -r w _ _ options; do
    # shellcheck disable=SC2086
    [ -s "$dir/traces/$w.wst" ] || "$program" run -q -j1 --trace "$dir/traces" -n "$w" -d "$dir/traces.db" -- \
        "$(dirname "$program")/workloads/$w" $options >/dev/null
done
pairs | in_parallel 4 simulate
pairs | xargs -0 -r -n 4 echo | awk '{ print $1, $2 }' >"$dir/pairs"

# Lines "MACHINE WORKLOAD COLUMN VALUE" of totals, which are last; of kernels their instructions, "instructions:KERNEL".
while read -r name w; do
    totals "$name $w" "$dir/sims/$name-$w.csv"
    awk -F, -v run="$name $w" '
        /^#/ { next }
        !n++ { for (i = 6; i <= NF; i++) if ($i == "warp_instructions") at = i; next }
        $2 != "total" { did[$2] += $at }
        END { for (k in did) print run, "instructions:" k, did[k] }' "$dir/sims/$name-$w.csv"
done <"$dir/pairs" >"$dir/values"
# Without a clock: how many lines of a divergent load fall into a set, by each index; how evenly long rows use all sets.
workloads | awk '$2 == "a" { print $1 }' | while read -r w; do
    "$program" model divergence --config fup-mini --set l1.index=linear "$dir/traces/$w.wst" 2>/dev/null |
        awk -F, -v w="$w" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["concentration"] != "NA" { print "model", w, "concentration:" $3, $at["concentration"] }'
done >>"$dir/values"
awk -F ' *[=;] *' '/^\[/ { section = $0 } section == "[l1]" && $1 ~ /^(sets|ways|mshrs)$/ {
    print "config", "oaws", "l1." $1, $2 }' data/configs/oaws.ini >>"$dir/values"
rows() { # WORKLOAD SIZE: a file, kept when it is whole
    [ -s "$dir/rows-$1.csv" ] && return
    "$program" run -q -j1 -n "$1" -d "$dir/rows-$1.db" -- "$(dirname "$program")/workloads/$1" --size "$2" >/dev/null
    "$program" metrics -d "$dir/rows-$1.db" --set modern | sed 's/"[^"]*"//g' >"$dir/rows-$1.new"
    mv "$dir/rows-$1.new" "$dir/rows-$1.csv"
}
[ -n "$sample" ] || while read -r w size; do
    rows "$w" "$size"
    awk -F, '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 0; i < 4; i++) print "rows", $1, "balance:" i, $at["sets_balance_" i] }' "$dir/rows-$w.csv"
done >>"$dir/values" <<E2
ATAX rows=64,columns=4096,pitch=8192
BICG rows=64,columns=4096,pitch=8192
MVT rows=64,columns=4096,pitch=8192
GES rows=64,columns=4096,pitch=4096
SYRK rows=64,inner=512,pitch=512
SYR2K rows=64,inner=256,pitch=256
E2
if [ -n "$sample" ]; then
    awk -v sample=1 -f tests/studies/claims.awk -f tests/studies/divergence_claims.awk \
        tests/studies/divergence_workloads.txt "$dir/values" \
        >"$dir/rows"
    end_with_rows docs/reproduction.md
fi
awk -v dir="$dir" -f tests/studies/claims.awk -f tests/studies/divergence_claims.awk \
    tests/studies/divergence_workloads.txt "$dir/values" \
    >"$dir/claims.md"

figure bars indices 'Speed over that with the lowest bits as set' --width 900
figure bars misses 'Misses that the warp itself has caused, share of all accesses of loads' --width 900
figure bars caches 'Speed over that with LRU' --width 1100
figure bars whole 'Divergent loads that L1 serves alone, share' --width 1100
figure curves partitions 'Speed over that with LRU, by protected warps of a scheduler'
figure curves promotions 'Speed over that with LRU, by positions of a promotion; 0: to the front'
figure bars schedulers 'Speed over that with GTO' --width 1100
figure bars stalls 'Cycles in which no MSHR was free, share' --width 1100
figure curves smr 'Speed over that with GTO, by percent of lanes that are predicted to miss'
figure bars together 'Speed of all three mechanisms together, over that with the hash of Fermi, LRU and GTO' \
    --width 1100

# Tables between marks of the page; words in the last column stay with their claim.
page=docs/reproduction.md
put_tables 6 claims two speeds together
check_words "divergence claims" 6
