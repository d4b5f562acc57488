#!/usr/bin/env bash
# Runs every CUDA program in a folder on our libraries and says how many do what they are to do:
#     tests/run_cuda_programs.sh [--warpscape PROGRAM | --libraries DIR] [--seconds N] [--name NAME] [--logs DIR] DIR [-- OPTION...]
# The programs are executables that nvcc built (-cudart shared, and the default, which needs --warpscape), or those of tests/cuda.
# A program passes when it exits with 0 within N (300) seconds, nothing that it prints says that something is wrong, and its own
# check says that all is well: by the usual words (PASS, "Test passed", "Non-Matching ...: 0" and the like) or as tests/cuda_verdicts.txt
# says for it. One that checks nothing is counted as run, one that says itself that the device lacks something as waived.
# Beside the program X may stand X.args (its arguments, one line) and X.cwd (the folder to run in, one line).
# With --warpscape each runs under `PROGRAM run OPTION... --`, else with DIR of --libraries (build/release/lib) in LD_LIBRARY_PATH.
# --logs keeps what they print.
set -u
warpscape='' libraries=build/release/lib seconds=300 name=cuda-programs logs=''
while [ $# -gt 1 ]; do
    case $1 in
    --warpscape) warpscape=$(realpath "$2") ;;
    --libraries) libraries=$2 ;;
    --seconds) seconds=$2 ;;
    --name) name=$2 ;;
    --logs) logs=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -ge 1 ] && [ -d "$1" ] && [ "${2:---}" = -- ] || { sed -n '2,11s/^# //p' "$0" >&2; exit 2; }
folder=$(realpath "$1")
shift $(($# > 1 ? 2 : 1))
options=${*:+$(printf "%q " "$@")}
[ -n "$warpscape" ] || libraries=$(realpath "$libraries") || exit 2
verdicts=$(dirname "$(realpath "$0")")/cuda_verdicts.txt
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
[ -z "$logs" ] || { mkdir -p "$logs" && logs=$(realpath "$logs") || exit 2; }
export warpscape libraries seconds results verdicts logs options

# What programs print whose check found something, and what they print when it found nothing.
wrong='Test(s)? (failed|FAILED)|Result = FAIL|FAILED|[1-9][0-9]* Failures|is not supported; the program gets|Non-Matching .*: [1-9]|Number of misses: [1-9]|skipping self-check|Verification mismatch'
right='^PASS$|Test (passed|PASSED|success)|Test Success|Result = PASS|&&&& .* PASSED|Validation PASSED|PostSync PASSED|completed, returned OK|Non-Matching CPU-GPU Outputs Beyond Error Threshold of [0-9.]+ Percent: 0$|^Number of misses: 0$|Test Results: 0 Failures|Result = PASSED'
waives='[Ww]aived|Waiving|WAIVED'
export wrong right waives

# judge BASE LOG: why it has not passed, nothing when it has; "run ..." when nobody checked, "waived ..." when it did not want to.
judge() {
    local how words mismatch
    mismatch=$(grep -m 1 -E 'is -?[0-9]+ \(expected -?[0-9]+\)' "$2" | grep -vE 'is (-?[0-9]+) \(expected \1\)')
    if grep -qE "$waives" "$2"; then
        echo "waived $(grep -m 1 -E "$waives" "$2")"
    elif grep -qE "$wrong" "$2"; then
        grep -m 1 -E "$wrong" "$2"
    elif [ -n "$mismatch" ]; then
        echo "$mismatch"
    else
        read -r how words < <(awk -v name="$1" '$1 == name { sub(/^[^ ]+ +/, ""); print }' "$verdicts") || how=words words=$right
        [ "$how" != none ] || { echo "run $words"; return; }
        grep -qE -- "$words" "$2" || echo "does not say that its check found nothing wrong"
    fi
}

one() {
    local program=$1 base log status=0 where arguments=() own=() why=''
    base=$(basename "$program") log=${logs:-$results}/$base.log where=$results/$base.dir
    mkdir -p "$where"
    [ ! -r "$program.args" ] || read -r -a arguments <"$program.args"
    [ ! -r "$program.cwd" ] || where=$(<"$program.cwd")
    eval "own=($options)"
    local begin=$SECONDS
    if [ -n "$warpscape" ]; then
        (cd "$where" && timeout "$seconds" "$warpscape" run --db "$results/$base.db" "${own[@]}" -- "$program" "${arguments[@]}") \
            >"$log" 2>&1 </dev/null
    else
        (cd "$where" && LD_LIBRARY_PATH=$libraries timeout "$seconds" "$program" "${arguments[@]}") >"$log" 2>&1 </dev/null
    fi
    status=$?
    why=$(judge "$base" "$log")
    case $status in
    0 | 125) ;; # the latter: it ended well, and nothing was measured
    124) why="not done after $seconds s" ;;
    *) [[ $why == waived* ]] || why="exit status $status${why:+; $why}" ;;
    esac
    local verdict=fail
    case $why in
    '') verdict=pass ;;
    run*) verdict=run why=${why#run } ;;
    waived*) verdict=waived why=${why#waived } ;;
    esac
    echo "$verdict" >"$results/$base.verdict"
    [ $verdict = pass ] && [ "${QUIET:-}" ] && return
    printf '%-6s %-32s %4d s  %s\n' $verdict "$base" $((SECONDS - begin)) "$why"
    [ $verdict != fail ] || grep -m 3 '^warpscape: ' "$log" | cut -c 1-300 | sed 's/^/      /'
}
export -f one judge
find "$folder" -maxdepth 1 -type f -perm -u+x ! -name '*.*sh' -print0 | sort -z | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.verdict 2>/dev/null | awk -v name="$name" '{ n[$1]++ }
    END { more = (n["run"] ? ", " n["run"] " run that check nothing" : "") (n["waived"] ? ", " n["waived"] " waived" : "")
          printf "%s: %d passed, %d failed%s\n", name, n["pass"], n["fail"], more; exit n["fail"] > 0 || !n["pass"] }'
