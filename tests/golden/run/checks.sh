# Each fault of tests/cuda/checks.cu is found, by its check, and nothing without it; the exit status is that of
# --check-exit, the program's own before it.
checks() {
    "$WARPSCAPE" run --quiet "$@" 2>&1 |
        sed 's/image [0-9]*>/image>/g; s/ 0x2[0-9a-f]*//; s/+0x[0-9a-f]*/+.../g; s/(checks\.cu:[0-9]*)/(line)/g'
    echo "exit status ${PIPESTATUS[0]}"
}
program=$(dirname "$WARPSCAPE")/tests/cuda/checks-13
"$WARPSCAPE" run --check race,init,sync,leak "$program" 2>&1 | sed 's/in warpscape.db//'
# Together are faults of kernels of their own; two end a launch, and one finds memory as another leaves it.
alone='init_global|sync_missing|sync_count'
faults=$(sed -n 's/^KERNEL(\([a-z]*_[a-z]*\),.*/\1/p' "$(dirname "$0")/../../cuda/checks.cu" | grep -v sync_fine)
for fault in "$(grep -vE "$alone" <<<"$faults" | paste -sd ' ')" $(grep -E "$alone" <<<"$faults") leak; do
    echo "== $fault"
    checks --check race,init,sync,leak "$program" $fault | grep -v 'leak.* 4096 bytes'
done
echo "== the line that made what leaks"
"$WARPSCAPE" run --quiet --check leak "$program" leak 2>&1 |
    sed -n 's/.*in main (checks\.cu:\([0-9]*\)), \([a-z]* [0-9]*\).*/\1 \2/p' |
    while read -r line what; do
        echo "$what:$(sed -n "${line}p" "$(dirname "$0")/../../cuda/checks.cu")"
    done
echo "== without addr2line, and of a program without line information: main begins so many bytes before the call"
PATH=/nowhere "$WARPSCAPE" run --quiet --check leak "$program" leak 2>&1 |
    sed -n 's/main+0x[0-9a-f]* (checks-13+0x[0-9a-f]*)/main+.../p; /^warpscape: check:/p'
mkdir -p "a \$b 'c"
strip -g -o "a \$b 'c/checks" "$program"
"$WARPSCAPE" run --quiet --check leak "a \$b 'c/checks" leak 2>&1 | grep '^warpscape: check:'
cp "$program" "a \$b 'c/checks"
"$WARPSCAPE" run --quiet --check leak "a \$b 'c/checks" leak 2>&1 | grep -c 'main (checks\.cu:[0-9]*)'
strip -g -o checks-13 "$program"
"$WARPSCAPE" run --quiet --check leak ./checks-13 leak 2>&1 |
    sed -n 's/.*main+0x\([0-9a-f]*\) (checks-13+0x\([0-9a-f]*\)), \([a-z]* [0-9]*\).*/\1 \2 \3/p' |
    while read -r offset address what; do
        [ $((16#$address + 1 - 16#$offset)) -eq $((16#$(nm "$program" | sed -n 's/ T main$//p'))) ] && echo "$what"
    done
echo "== the same on any number of workers, and off"
for workers in 1 3; do
    checks -j $workers --check race "$program" race_shared race_fence >$workers
done
cmp 1 3 && wc -l <1
checks "$program" race_shared leak
checks --check race "$program" leak
checks --check leak --check-exit 7 "$program" leak
checks --check leak --check-exit 0 "$program" leak
checks --check leak --check-exit 7 sh -c "'$program' leak; exit 3"
checks --check rase "$program"
checks --check race, "$program"
checks --check-exit 3 "$program"
WARPSCAPE_CHECK=ini LD_LIBRARY_PATH=$(dirname "$WARPSCAPE")/lib "$program" | tail -n 1
echo "== errors of the program count under every check: four kernels access memory outside allocations, launches fail;" \
    "--check-exit decides"
strays=$(dirname "$program")/strays-13
checks --check race,sync "$strays" pages | grep -v ': kernel\|^PASS\|device address'
checks --check leak --bounds exact "$strays" pages | tail -n 2
checks --check init --check-exit 7 "$strays" pages | tail -n 2
checks --races "$strays" pages | tail -n 2
checks "$strays" pages | tail -n 1
echo "== a limit of ours is no error of the program"
WARPSCAPE_MAX_INSTRUCTIONS=1 checks --check race "$program" race_shared | grep "checked for"
