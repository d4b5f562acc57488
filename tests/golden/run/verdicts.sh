# The runner of other people's programs: what it makes of what they print, with options of `warpscape run` and without;
# in folders by source; in pieces, with what has been run kept; and as a table.
# heavy: runs forty programs; cuda-programs goes through the same code
make() {
    mkdir -p "$(dirname "$1")"
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
run() {
    JOBS=1 "$TOP/tests/runners/run_cuda_programs.sh" --warpscape "$WARPSCAPE" "$@" | sed 's/ *[0-9]* s  / /'
    echo "status ${PIPESTATUS[0]}"
}
make programs/right 'echo "Test passed"'
make programs/counts 'echo "0 failures, mismatches: 0"; echo "All tests PASSED"'
make programs/wrong 'echo "Test passed"; echo "Result = FAIL"'
make programs/counts_some 'echo "mismatches: 0"; echo "10 failures"; echo "PASS"'
make programs/says_failed 'echo "vector addition FAILED"'
make programs/silent 'echo nothing'
make programs/fails 'echo "Test passed"; exit 3'
make programs/waits 'echo "Waived: the device lacks it"; exit 2'
make slow/waits_for_ever 'echo "Test passed"; exec sleep 1000'
make programs/tries_a_launch 'echo "warpscape: kernel k: impossible launch" >&2; echo "Test passed"'
make programs/blas 'echo "warpscape: libx: cuBLAS is a library of machine code, without PTX" >&2; exit 1'
make programs/unused_blas \
    'echo "warpscape: libx: cuBLAS is a library of machine code, without PTX" >&2; echo "Test passed"'
make programs/mipmaps 'echo "warpscape: cuMipmap is not supported; the program gets an error" >&2; exit 1'
make programs/c++11_cuda 'echo 12'
for options in '' '-- -j 1'; do
    run programs $options
done
run --seconds 1 slow

make sources/one/twin 'echo "Test passed"; pwd | grep -o "/one$"'
make sources/two/twin 'echo "Result = FAIL $*"'
echo one >sources/one/twin.cwd
echo 'a b' >sources/two/twin.args
run --results kept --table table.md --logs logs --sources sources
head -3 logs/*/*.log
make sources/two/more 'echo PASS'
make sources/two/twin 'echo "Result = PASS"'
make sources/two/launch 'echo "warpscape: kernel k: impossible launch" >&2; echo "Test passed"'
make sources/two/warned 'echo "warpscape: kernel k: stray; the kernel goes on, as on a GPU" >&2; echo "Test passed"'
run --results kept --sources sources
rm sources/two/launch
run --results kept --again 'two/tw|fault' --sources sources
cut -f 1-3,5 kept

cat >verdicts.txt <<'END'
one/asked   words   ^sum is 6$
one/missed  words   ^sum is 6$
one/ends    status  ^comparing
one/says    quiet   ^comparing
one/says_so quiet   ^comparing
one/exits   status  ^comparing
one/broken  fault   ^reads before  reads what it never wrote
one/mended  fault   ^reads before  reads what it never wrote
twice       none    prints a time
one/twice   words   ^yes
two/odd     perhaps ^yes
END
make ruled/one/asked 'echo "sum is 6"'
make ruled/one/missed 'echo "sum is 7"'
make ruled/one/ends 'echo comparing'
make ruled/one/exits 'echo comparing; exit 1'
make ruled/one/says 'echo comparing'
make ruled/one/says_so 'echo comparing; echo "Arrays do not match."'
make ruled/one/broken 'echo "reads before"; echo FAILED; exit 1'
make ruled/one/mended 'echo FAILED'
make ruled/one/twice 'echo no'
make ruled/two/twice 'echo no'
make ruled/two/odd 'echo yes'
run --verdicts verdicts.txt --sources ruled

printf '%s\t' three left none 1 'prints a|b' >more
"$TOP/tests/runners/run_cuda_programs.sh" --results kept --results more --table after.md
cat table.md after.md
"$TOP/tests/runners/run_cuda_programs.sh" --table x 2>&1 | head -1
