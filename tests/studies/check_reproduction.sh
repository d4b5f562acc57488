#!/usr/bin/env bash
# Do the pages of the reproduction still say what the program says? Makes those that take a minute or so again, in a
# copy, and compares.
# usage: check_reproduction.sh PROGRAM
set -u
export LC_ALL=C
program=$(realpath "${1:?program}")
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r docs "$dir/" && ln -s "$PWD/data" "$dir/data"
passed=0 failed=0
compare() { # COMMAND...: makes pages in the copy that are those of docs
    local wrong
    if ! (cd "$dir" && "$@") >"$dir/log" 2>&1; then
        wrong="$* fails: $(cat "$dir/log")"
    else
        wrong=$(diff -r docs "$dir/docs" | head -n 30)
    fi
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s\n' "$wrong" "docs/ is not what $* makes of it; run it, and review the difference"
    fi
    rm -rf "$dir/docs" && cp -r docs "$dir/"
}
"$program" sweep data/plans/chameleon.ini -o "$dir/chameleon" >"$dir/log" 2>&1 || cat "$dir/log"
compare "$program" claims "$dir/chameleon" data/claims/chameleon.ini --page docs/reproduction-chameleon.md
# The day of docs/chameleon.md.
day() {
    "$program" model chameleon -S HpHv -w FWT -P chameleon --no-regret --timeline "$dir/day.csv" \
        --learning "$dir/learnt.csv" &&
        "$program" plot timeline "$dir/day.csv" --title 'FWT on HpHv, a day with Chameleon' \
            -o docs/img/chameleon-timeline.svg &&
        "$program" plot timeline "$dir/learnt.csv" --title 'What Chameleon learns in it' -o docs/img/chameleon-learning.svg
}
compare day
"$program" sweep data/plans/photonic_unknowns.ini -o "$dir/unknowns" >"$dir/log" 2>&1 || cat "$dir/log"
compare "$program" claims "$dir/unknowns" data/claims/photonic_unknowns.ini --page docs/reproduction-photonics.md
compare "$program" claims data/claims/chiplet_waits.csv data/claims/chiplet_waits.ini \
    --page docs/reproduction-chiplets.md
"$program" sweep data/plans/dacache_unknowns.ini -o "$dir/dacache" >"$dir/log" 2>&1 || cat "$dir/log"
compare "$program" claims "$dir/dacache" data/claims/dacache_unknowns.ini --page docs/reproduction-divergence.md
compare "$program" claims --counts docs/reproduction*.md --page docs/reproduction.md
# The headlines of the thesis are those of its chapters' pages.
headlines() {
    "$program" claims --gather headlines docs/reproduction-{study,photonics,chameleon,sttram}.md >"$dir/headlines.csv" &&
        "$program" claims "$dir/headlines.csv" data/claims/thesis.ini --page docs/reproduction-study.md
}
compare headlines
# Of studies that take longer, what takes seconds: the rows of some points are in a table of the page.
points() { # STUDY PAGE TABLE [OPTION of sweep]...
    if "$program" sweep "data/plans/$1.ini" -o "$dir/$1" "${@:4}" >"$dir/log" 2>&1 &&
        "$program" claims "$dir/$1" "data/claims/$1.ini" --table "$3" --page "docs/$2.md" --check >"$dir/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat "$dir/log"
    fi
}
part() { # STUDY [OPTION of sweep]...: points that `points` needs besides its own
    "$program" sweep "data/plans/$1.ini" -o "$dir/$1" "${@:2}" >"$dir/log" 2>&1 || cat "$dir/log"
}
# Two minutes: all claims at scale tiny, and two rows of those at scale document.
part coherence --only scale=document --only 'workload=VPR|SGM' --only 'run=bl|tc-weak|gtsc-rc'
points coherence reproduction-coherence tiny --only scale=tiny
points coherence reproduction-coherence inputs --only scale=document --only 'workload=VPR|SGM' \
    --only 'run=bl|tc-weak|gtsc-rc'
part atomics --only points=kernels --only case=H --only 'run=base|serialize|lab8|lab64|inf|phi0|owned'
part atomics --only points=joules --only case=H --only run=base
part atomics --only points=updates_of_kernels --only case=H
part atomics --only points=updates --only 'case=BWC|CLR'
part atomics --only points=sums --only program=PRK
points atomics reproduction-atomics-experiments workloads --only points=sims --only 'case=BWC|CLR' \
    --only 'run=base|serialize|lab8|lab64|inf|phi0|owned'
part chiplets --only points=models --only scale=tiny --only 'workload=BABEL|H3D|LU|BP'
part chiplets --only points=models --only scale=small --only workload=SQUARE --only chiplets=4
part chiplets --only points=sims --only scale=tiny --only chiplets=4 --only 'workload=BABEL|H3D|LU|BP' \
    --only 'run=boundary|cpcoh|free|hmg|hashed-hmg'
points chiplets reproduction-chiplets-experiments workloads --only points=large --only input=GRU
points chiplets reproduction-chiplets-experiments caches_programs --only points=large --only input=GRU
points chiplets reproduction-chiplets inputs --only points=large --only input=GRU
points chip_buffers reproduction-atomics-experiments chips --only place=HIS-2
part atomics_then --only case=H --only scale=tiny --only run=base
points atomics_then reproduction-atomics workloads --only case=CLR
points chiplet_latencies reproduction-chiplets-experiments latencies --only 'workload=BABEL|H3D'
part chiplet_unknowns --only points=tiny --only workload=BTREE
points chiplet_unknowns reproduction-chiplets directories --only program=BTREE
points races reproduction-races workloads --only scale=tiny --only 'workload=BTREE|SGM|SC|NW' \
    --only 'run=rc|[INBWKH]4'
points run_ahead reproduction-races workloads --only 'workload=BTREE|ST3D|SGM'
points sttram memory map --only 'workload=FWT|SRAD|BP|NE|MM'
points photonic reproduction-photonics traffic --only 'workload=GS|HS|SRAD|MT|AES' \
    --only 'run=mesh|swmr-32|mwsr-32'
points sharing reproduction-sharing workloads --only 'workload=BTREE|GS|SGM'
part divergence --only points=kernels
part divergence --only points=indices --only workload=SYR2K
part divergence --only points=balance --only long=SYR2K
points divergence reproduction-divergence speeds --only scope=all --only 'workload=2DC|GSM|IIX'
points memory_stage reproduction-divergence workloads --only workload=SPMV
part sync --only barrier=bare --only form=cooperative --only T=1
part sync --only large=reduce --only variant=plain --only form=cooperative --only T=1
part sync --only program=reduce --only machine=qv100 --only variant=plain --only 'T=1|4'
points sync reproduction-sync-tables semaphores --only semaphores=size1 --only machine=rtx3090 --only 'T=1|2|4'
points sync reproduction-sync-tables programs --only program=reduce --only machine=qv100 --only variant=plain --only 'T=1|4'
points sync reproduction-sync graphs --only 'program=web|alone'
# Of machines of their time, the machine of G-TSC and power; of the other blocks the few points that frames need.
part machines_then --only 'gtsc=ours|schedulers'
part machines_then --only sharing=ours
part machines_then --only 'races=ours|schedulers'
part machines_then --only wang=ours --only program=SPMV
part machines_then --only lab=ours --only program=WGR
part machines_then --only volta=ours --only T=1
part machines_then --only viper=ours --only program=LU
part machines_then --only light=ours --only program=PF-10000
part machines_then --only magnetic=ours --only program=LU
part machines_then --only study=ours --only program=MM
points machines_then machines-then power --only 'wattch=ours|banks'
points machines_then machines-then fermi --only 'wattch=ours'
# The study of 38 workloads takes an hour: of some workloads the report has the claims of the page, judged or not.
if "$program" study -o "$dir/study" -d "$dir/study.db" --scale tiny --machines none --simulate none --draws 5 \
    MM MT PR BFS >"$dir/log" 2>&1 &&
    sed -n '/^<!-- study claims: begin/,/^<!-- study claims: end/s/^|/&/p' docs/reproduction-study.md | cut -d '|' -f 2,3 |
        diff - <(cut -d '|' -f 2,3 "$dir/study/claims.md") >"$dir/log"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    cat "$dir/log"
    echo "docs/reproduction-study.md has other claims of the study than data/claims/study.ini"
fi
echo "reproduction: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
