#!/usr/bin/env bash
# Measures what P. Dalmia, Reducing Synchronization and Communication Overheads in GPUs (2023), chapter 4, says of
# barriers of the whole grid and of semaphores: the runs below on machines like a Volta, a
# Turing and an Ampere, beside what the thesis prints. Puts the tables into docs/reproduction-sync.md and draws its
# figures (docs/img/sync-*.svg). The last column of the claims is written by hand and stays with its claim; ends with 1
# when a claim that does not hold has no such words. Simulations stay in FOLDER, and are not made again: thirty-five
# minutes of processor time, or none; JOBS at a time [as many as there are processors]. With RUN-MACHINE...
# (micro-qv100) their rows of the tables with T up to 4 alone are made, and held against the page. With `fences` the
# tables of what fences and one word for all cost are put into the page, and what they need is run: ten minutes of
# processor time; with `whole` those of the hybrid, of graphs and of a whole machine: fifteen.
# usage: reproduce_sync.sh PROGRAM [FOLDER [fences | whole | RUN-MACHINE...]]
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_study sync "$@"
part=
case $sample in fences | whole) part=$sample sample= ;; esac
mkdir -p "$dir/sims"
page=docs/reproduction-sync.md

# RUN;MACHINES;WORKLOAD;SMS;FORMS;T...;SIZES[;OPTION OPTION...]: SMS 0 are those of the GPU of the study; a number
# before T in SIZES is multiplied by T, and {form} put in.
volta=qv100 others=rtx2060,rtx3090
runs() {
    local grid='threads=32,together=0' bar='episodes=3,moves=0' lock='rounds=5,audit=0,threads=32,together=0' \
        all=$volta,$others
    # Elements: 163,840 with 32 blocks on each of 80 SMs, halved with the blocks: 5,120 with one, of which our 20 SMs
    # have their part.
    local most=163840 halvings=5 each
    each=$(((most >> halvings) * 20 / 80))
    local programs="reduce:1:elements=${each}T scan:2:elements=${each}T pagerank:3:nodes=2560T,rounds=3 bfs:4:nodes=640T sssp:5:nodes=640T" name number of blocks size long
    # Barriers alone, and behind critical sections of 50 loads and 50 stores of a thread; backing off by nanosleep.
    echo "bare;$all;GBAR;0;1 2 3 4 5;1 2 4 8 16 32;barrier={form},critical=0,$bar,$grid"
    # Semaphores of SMs, by size.
    echo "size1;$all;RWSEM;4;1 2 3 4;1 2 4 8 16 32;form={form},size=1,critical=50,$lock"
    # Programs: two elements a thread; pages and nodes of a graph with links anywhere, four and one a thread.
    for name in $programs; do
        IFS=: read -r name number of <<<"$name"
        case $name in
            reduce | scan) blocks='1 4 8 16' ;;
            *) blocks='1 4 8' ;;
        esac
        echo "$name;$volta;GPROG;20;1 2 3 4 5;$blocks;program=$number,barrier={form},$of,graph=4,$grid"
        [ "$name" != bfs ] || echo "$name;$volta;GPROG;20;2 4;16;program=$number,barrier={form},$of,graph=4,$grid"
    done
    for size in 10 120; do echo "size$size;$all;RWSEM;4;1 2 3 4;1 4 16 32;form={form},size=$size,critical=50,$lock"; \
        done
    # Semaphores with shorter and longer sections; with the scheduler of the other machines; one semaphore for 32 SMs
    # with a block each.
    for long in 10 200; do echo "critical$long;$all;RWSEM;4;1 3;8;form={form},size=1,critical=$long,$lock"; done
    echo "turns;$volta;RWSEM;4;1 2 3 4;16 32;form={form},size=1,critical=50,$lock;sm.scheduler=lrr"
    echo "oldest;$others;RWSEM;4;1 2 3 4;16 32;form={form},size=1,critical=50,$lock;sm.scheduler=gto"
    echo "one;$all;RWSEM;32;1 2 3 4;1;form={form},size=1,critical=50,$lock"
    echo "sleep;$all;GBAR;0;1 2 3;4;barrier={form},sleep=1,critical=50,$bar,$grid"
    echo "micro;$all;GBAR;0;1 2 3 4 5;1 2 4 8 16;barrier={form},critical=50,$bar,$grid"
    for name in $programs; do
        IFS=: read -r name number of <<<"$name"
        echo "$name;$others;GPROG;20;2 3 4;8;program=$number,barrier={form},$of,graph=4,$grid"
    done
    # Other graphs: R-MAT as of people (with 640T nodes the first one has no edge), roads, pages.
    local graphs='social:0:512T roads:1:640T web:2:640T'
    for name in $graphs; do
        IFS=: read -r name size of <<<"$name"
        echo "$name;$volta;GPROG;20;2 4;8;program=4,barrier={form},nodes=$of,graph=$size,$grid"
        for long in turns400 turns800; do
            echo "$name+$long;$volta;GPROG;20;2 4;8;program=4,barrier={form},nodes=$of,graph=$size,$grid;$(dear $long)"
        done
    done
    # What of the time of a search is its barriers: these alone, with shorter waits of who backs off, and with none.
    for long in '' turns800; do
        echo "alone${long:++$long};$volta;GBAR;20;2 4;8;barrier={form},critical=0,moves=0,episodes=20,$grid;$(dear \
            "$long")"
        for name in $graphs; do
            IFS=: read -r name size of <<<"$name"
            echo "$name${long:++$long}+none;$volta;GPROG;20;2;8;program=4,barrier={form},backoff=0,nodes=$of,graph=$size,$grid;$(dear "$long")"
            [ -n "$long" ] ||
                echo "$name+short;$volta;GPROG;20;2;8;program=4,barrier={form},backoff=63,nodes=$of,graph=$size,$grid"
        done
    done
    # The whole machine, and with fences in turns. R-MAT: of 2048T nodes the first one has no edge.
    for name in reduce:1:elements=$((most >> halvings))T scan:2:elements=$((most >> halvings))T bfs:4:nodes=2560T \
        sssp:5:nodes=2560T; do
        IFS=: read -r name number of <<<"$name"
        echo "$name+whole;$volta;GPROG;80;2 4 5;1 4 8 16;program=$number,barrier={form},$of,graph=4,$grid"
        echo "$name+whole+turns400;$volta;GPROG;80;2 4 5;1 4 8;program=$number,barrier={form},$of,graph=4,$grid;$(dear \
            turns400)"
    done
    for name in social:0:1408T web:2:2560T roads:1:2560T; do
        IFS=: read -r name size of <<<"$name"
        echo "$name+whole;$volta;GPROG;80;2 4;8;program=4,barrier={form},nodes=$of,graph=$size,$grid"
        echo "$name+whole+none;$volta;GPROG;80;2;8;program=4,barrier={form},backoff=0,nodes=$of,graph=$size,$grid"
        echo "$name+whole+turns400;$volta;GPROG;80;2 4;8;program=4,barrier={form},nodes=$of,graph=$size,$grid;$(dear \
            turns400)"
    done
    echo "bare+own;$volta;GBAR;0;2;4 8 16;barrier={form},own=1,critical=0,$bar,$grid"
    echo "micro+own;$volta;GBAR;0;2;4 8 16;barrier={form},own=1,critical=50,$bar,$grid"
    # Machines whose device fences cost more, and G-SRB whose blocks wait for words of their SMs.
    for name in $programs; do
        IFS=: read -r name number of <<<"$name"
        for long in invalidate trip turns200 turns400 turns800; do
            echo "$name+$long;$volta;GPROG;20;2 3 4;8;program=$number,barrier={form},$of,graph=4,$grid;$(dear $long)"
        done
        echo "$name+own;$volta;GPROG;20;2;8;program=$number,barrier={form},own=1,$of,graph=4,$grid"
        [ "$name" != pagerank ] || continue # gains next to nothing by any barrier
        for long in turns400 turns800; do
            echo "$name+$long;$volta;GPROG;20;2 4 5;4;program=$number,barrier={form},$of,graph=4,$grid;$(dear $long)"
            echo "$name+$long;$volta;GPROG;20;5;8;program=$number,barrier={form},$of,graph=4,$grid;$(dear $long)"
        done
    done
}
# What such a machine is made of. 200 cycles are a trip to L2 and back.
dear() {
    case $1 in
        invalidate) echo l1.fence=invalidate ;;
        trip) echo sm.fence=200 ;;
        turns*) echo "sm.fence=${1#turns} sm.fence_turns=1" ;;
    esac
}
# Does a table of `whole` have this run of MACHINE, FORM, T?
is_of_whole() {
    case $1 in
        *+whole* | *+none | *+short | alone*) return 0 ;;
        social* | roads* | web*) [[ $1 != *+turns400 ]] ;;
        reduce | scan | bfs | sssp | *+turns400 | *+turns800) [ "$2" = qv100 ] && [ "$3" != 1 ] && [ "$3" != 3 ] &&
            [[ $1 != pagerank* ]] ;;
        *) return 1 ;;
    esac
}
# Does one of fences?
is_of_fences() {
    case $1 in
        *+whole* | *+none | *+short | alone*) return 1 ;;
        *+*) return 0 ;;
        bare | micro) [ "$2" = qv100 ] && [ "$4" -ge 4 ] && [ "$4" -le 16 ] && [ "$3" != 3 ] && [ "$3" != 5 ] ;;
        reduce | scan | pagerank | bfs | sssp | social | roads | web) [ "$2" = qv100 ] && [ "$3" != 1 ] &&
            { [ "$4" = 4 ] || [ "$4" = 8 ]; } ;;
        *) return 1 ;;
    esac
}
# Does a sample? With a graph come its runs with other waits and fences, and barriers alone.
is_of_sample() {
    local graph=
    for graph in social web roads; do
        [[ " $sample " == *" $graph-$2 "* ]] || continue
        case $1 in *+whole* | *+turns400) ;; "$graph" | "$graph+"* | alone*) return 0 ;; esac
    done
    [[ " $sample " == *" $1-$2 "* ]]
}
sms_of() { case $1 in qv100) echo 80 ;; rtx2060) echo 68 ;; rtx3090) echo 82 ;; esac; }

# simulate NAME MACHINE WORKLOAD SMS SIZES OPTION: a table; a launch that is ended as a livelock, or for its length, has
# one, too.
simulate() {
    local at="$dir/sims/$1" with=() limit=4000000 option
    [ ! -s "$at" ] || return 0
    [ "$3" != GPROG ] || [ "$4" != 20 ] || [ -n "$6" ] || limit=600000 # what is in the tables of programs ends sooner
    for option in $6; do with+=(--set "$option"); done
    "$program" sim --config "$2" --set chip.sms="$4" --set sm.waits=1 --set sm.blocks=32 ${with[@]+"${with[@]}"} \
        --livelock 300000 --max-cycles $limit --suite "$3" --scale small --size "$5" >"$at.new" 2>"$at.log" ||
        grep -q 'livelock\|--max-cycles' "$at.log" || { cat "$at.log" >&2; exit 1; }
    mv "$at.new" "$at"
}
# NAME MACHINE WORKLOAD SMS SIZES OPTION, one each. Blocks of an SM: as many as the study's GPU takes.
cases() {
    local run machines workload sms forms blocks sizes option machine form t count
    runs | while IFS=';' read -r run machines workload sms forms blocks sizes option; do
        for machine in ${machines//,/ }; do
            [ -z "$sample" ] || is_of_sample "$run" "$machine" || continue
            count=$sms
            [ "$sms" != 0 ] || count=$(sms_of "$machine")
            for t in $blocks; do
                [ "$machine" != rtx2060 ] || [ "$t" -le 16 ] || continue
                [ -z "$sample" ] || [ "$t" -le 4 ] || [[ $run =~ ^(alone|social|web|roads) ]] || continue
                for form in $forms; do
                    [ -z "$part" ] || "is_of_$part" "$run" "$machine" "$form" "$t" || continue
                    local these=${sizes//\{form\}/$form} of=$t groups=$count
                    while [[ $these =~ =([0-9]+)T ]]; do these=${these/"${BASH_REMATCH[1]}T"/$((BASH_REMATCH[1] * \
                        t))}; done
                    [ "$run" != one ] || { of=32 groups=1; } # a block an SM, and all of them of one group
                    printf '%s\0' "$run-$machine-$form-$t" "$machine" "$workload" "$count" \
                        "sms=$groups,blocks=$of,$these" "$option"
                done
            done
        done
    done
}
export -f simulate
export program dir
cases | xargs -0 -r -n 6 -P "${JOBS:-$(nproc)}" bash -c 'simulate "$@"' simulate
# Lines "RUN MACHINE FORM T COLUMN VALUE", and how long a machine takes until the first block begins.
for machine in qv100 rtx2060 rtx3090; do
    awk -v m="$machine" '/^launch = / { print "launch", m, 0, 0, "cycles", $3 }' "data/configs/$machine.ini"
done >"$dir/values"
cases | xargs -0 -r -n 6 bash -c 'echo "$1"' line | while IFS=- read -r run machine form t; do
    awk -F, -v at="$run $machine $form $t" '
        /^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { row = $0 }
        END { m = split(row, cell, ",");
            for (i = 4; i <= m; i++) if (column[i] ~ /^(ended|cycles|sync|wait_share|swap|atomics_local|atomics_device|noc_request_load_max)/) print at, column[i], cell[i] }' "$dir/sims/$run-$machine-$form-$t"
done >>"$dir/values"
judge() {
    awk "$@" -f tests/studies/claims.awk -f tests/studies/sync_claims.awk -f tests/studies/sync_fences.awk \
        -f tests/studies/sync_whole.awk \
        data/published/synchronization.csv "$dir/values"
}
if [ -n "$sample" ]; then
    judge -v sample="$sample" >"$dir/rows"
    end_with_rows "$page"
fi
judge -v dir="$dir" -v only="$part"
for table in fences:fences fences:words whole:hybrid whole:whole whole:graphs whole:graphs_whole; do
    if [ -z "$part" ] || [ "$part" = "${table%:*}" ]; then put_tables 0 "${table#*:}"; fi
done
[ -z "$part" ] || exit 0

figure curves relative 'Time with 50 loads and 50 stores before each barrier, over that of the tree' --width 1100
figure curves barriers 'Cycles of a barrier alone' --width 1100
figure curves programs 'Time with G-SRB over that with the cooperative barrier, qv100, 20 SMs' --width 720
figure bars share 'Share of the time that blocks are in barriers, 8 CTAs an SM, qv100, 20 SMs' --width 900
figure curves handover 'Cycles of a block through a semaphore of size 1; lines end where it is a livelock' --width 1100

# Tables between marks of the page; words in the last column stay with their claim.
put_tables 5 claims barriers programs semaphores livelocks
check_words "sync claims" 5
