#!/usr/bin/env bash
# Runs every CUDA program in a folder on our libraries and says how many do what they are to do:
#     tests/run_cuda_programs.sh [--warpscape PROGRAM | --libraries DIR] [--seconds N] [--name NAME] DIR
# The programs are executables that nvcc built (-cudart shared, and the default, which needs --warpscape), or those of tests/cuda.
# A program passes when it exits with 0 within N (300) seconds and does not say itself that something is wrong. Beside
# the program X may stand X.args (its arguments, one line) and X.cwd (the folder to run in, one line).
# With --warpscape each runs under `PROGRAM run --`, else with DIR of --libraries (build/release/lib) in LD_LIBRARY_PATH.
set -u
warpscape='' libraries=build/release/lib seconds=300 name=cuda-programs
while [ $# -gt 1 ]; do
    case $1 in
    --warpscape) warpscape=$(realpath "$2") ;;
    --libraries) libraries=$2 ;;
    --seconds) seconds=$2 ;;
    --name) name=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 1 ] && [ -d "$1" ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
folder=$(realpath "$1")
libraries=$(realpath "$libraries") || exit 2
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export warpscape libraries seconds results

one() {
    local program=$1 base log status=0 where arguments=() why=''
    base=$(basename "$program") log=$results/$base.log where=$results/$base.dir
    mkdir -p "$where"
    [ ! -r "$program.args" ] || read -r -a arguments <"$program.args"
    [ ! -r "$program.cwd" ] || where=$(<"$program.cwd")
    local begin=$SECONDS
    if [ -n "$warpscape" ]; then
        (cd "$where" && timeout "$seconds" "$warpscape" run -- "$program" "${arguments[@]}") >"$log" 2>&1 </dev/null
    else
        (cd "$where" && LD_LIBRARY_PATH=$libraries timeout "$seconds" "$program" "${arguments[@]}") >"$log" 2>&1 </dev/null
    fi
    status=$?
    if [ "$status" -eq 124 ]; then
        why="not done after $seconds s"
    elif [ "$status" -ne 0 ]; then
        why="exit status $status"
    elif grep -qE 'Test(s)? (failed|FAILED)|Result = FAIL|FAILED|[1-9][0-9]* Failures|is not supported; the program gets' "$log"; then
        why=$(grep -m 1 -E 'failed|FAIL|Failures|not supported' "$log")
    elif grep -qE 'Non-Matching.*: [1-9]' "$log"; then
        why=$(grep -m 1 -E 'Non-Matching.*: [1-9]' "$log")
    elif grep -qE 'waived|Waiving' "$log"; then
        why="it does not run on this device: $(grep -m 1 -iE 'waiv' "$log")"
    fi
    if [ -n "$why" ]; then
        printf 'fail  %-32s %4d s  %s\n' "$base" $((SECONDS - begin)) "$why"
        grep -m 3 '^warpscape: ' "$log" | cut -c 1-300 | sed 's/^/      /'
        echo 0 1 >"$results/$base.count"
    else
        [ "${QUIET:-}" ] || printf 'pass  %-32s %4d s\n' "$base" $((SECONDS - begin))
        echo 1 0 >"$results/$base.count"
    fi
}
export -f one
find "$folder" -maxdepth 1 -type f -perm -u+x ! -name '*.*sh' -print0 | sort -z | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count 2>/dev/null | awk -v name="$name" '{ p += $1; f += $2 }
    END { printf "%s: %d passed, %d failed\n", name, p, f; exit f > 0 || p + f == 0 }'
