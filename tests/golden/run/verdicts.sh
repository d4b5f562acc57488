# The runner of other people's programs: what it makes of what they print, with options of `warpscape run` and without.
mkdir programs
make() {
    printf '#!/bin/sh\n%s\n' "$2" >programs/"$1"
    chmod +x programs/"$1"
}
make right 'echo "Test passed"'
make wrong 'echo "Test passed"; echo "Result = FAIL"'
make silent 'echo nothing'
make fails 'echo "Test passed"; exit 3'
make waits 'echo "Waived: the device lacks it"; exit 2'
make c++11_cuda 'echo 12'
for options in '' '-- -j 1'; do
    JOBS=1 "$TOP/tests/run_cuda_programs.sh" --warpscape "$WARPSCAPE" programs $options | sed 's/ *[0-9]* s  / /'
    echo "status ${PIPESTATUS[0]}"
done
