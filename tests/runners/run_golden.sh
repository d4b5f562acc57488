#!/usr/bin/env bash
# Runs tests/golden/COMMAND/CASE.sh, each in an empty directory of its own, and compares what it says with the files
# beside it:
#   CASE.stdout.exact CASE.stderr.exact   the text itself
#   CASE.stdout.glob  CASE.stderr.glob    a shell pattern for the whole text: * matches any of it, newlines too
#   CASE.exit                             the exit status (0 when there is none)
# A stream without a file has to be empty. In a case $WARPSCAPE is the program, $GOLDEN the case's folder, $TOP the
# tree. Cases with a line `# heavy: WHY` take seconds: they run when they are named, with --rewrite, or with HEAVY=1,
# which runs these alone. With LIGHT=1 (sanitizers) cases with a line `# unsanitized: WHY` are left out also. What is
# left out is printed. A case that has not ended after STALL_SECONDS (600) hangs, and is ended.
# usage: [HEAVY=1 | LIGHT=1] run_golden.sh [--rewrite] PROGRAM [CASE.sh | COMMAND]...
#   --rewrite   write the .exact and .exit files from what the cases say now (review the diff), make missing ones
set -u
rewrite=
[ "${1:-}" != --rewrite ] || { rewrite=1; shift; }
WARPSCAPE=$(realpath "${1:?program}")
shift
TOP=$(cd "$(dirname "$0")/../.." && pwd)
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
named=
stall=${STALL_SECONDS:-600}
export WARPSCAPE TOP rewrite results named stall LC_ALL=C.UTF-8

# compare CASE STREAM FILE: prints what is wrong, if anything.
compare() {
    local case=$1 stream=$2 got=$3
    if [ -n "$rewrite" ] && [ ! -e "$case.$stream.glob" ]; then
        if [ -s "$got" ]; then cp "$got" "$case.$stream.exact"; else rm -f "$case.$stream.exact"; fi
    elif [ -e "$case.$stream.exact" ]; then
        cmp -s "$case.$stream.exact" "$got" ||
            diff -u --label expected --label "$stream" "$case.$stream.exact" "$got" | head -30
    elif [ -e "$case.$stream.glob" ]; then
        # shellcheck disable=SC2053
        [[ "$(cat "$got")" == $(cat "$case.$stream.glob") ]] || { echo "$stream does not match:"; head -30 "$got"; }
    elif [ -s "$got" ]; then
        echo "$stream should be empty:"
        head -10 "$got"
    fi
}

# wanted_here SCRIPT: is the case one of this run? Says so when it is left out.
wanted_here() {
    local kind= line
    while read -r line; do
        [[ ! $line =~ ^#\ (heavy|unsanitized):\  ]] || kind=${BASH_REMATCH[1]}
    done <"$1"
    [[ -z $rewrite && " $named " != *" $1 "* ]] || return 0
    if [ -n "${HEAVY:-}" ]; then [ "$kind" = heavy ]; return; fi
    [ "$kind" = heavy ] || [ "$kind" = unsanitized -a -n "${LIGHT:-}" ] || return 0
    echo "left out: ${1#"$TOP"/} ($kind)"
    return 1
}

one() {
    local script=$1 case=${1%.sh} status=0 wanted=0 wrong dir
    wanted_here "$script" || return 0
    # Starting a program takes milliseconds, and there are hundreds of cases: the shell does what it can itself.
    dir=${case#"$TOP"/}
    dir=$results/${dir//\//.}
    mkdir -p "$dir/run"
    (cd "$dir/run" && GOLDEN=${script%/*} timeout --foreground --kill-after=10 "$stall" bash "$script" \
        >"$dir/stdout" 2>"$dir/stderr" </dev/null) || status=$?
    if [ -n "$rewrite" ]; then
        if [ "$status" -ne 0 ]; then echo "$status" >"$case.exit"; else rm -f "$case.exit"; fi
    fi
    [ ! -e "$case.exit" ] || read -r wanted <"$case.exit"
    wrong=$(compare "$case" stdout "$dir/stdout"; compare "$case" stderr "$dir/stderr"
            [ "$status" -ne 124 ] || echo "it hangs: it had not ended after $stall s"
            [ "$status" -eq "$wanted" ] || echo "exit status $status instead of $wanted")
    if [ -n "$wrong" ]; then
        echo "0 1" >"$dir.count"
        printf -- '--- %s\n%s\n' "${script#"$TOP"/}" "$wrong"
    else
        echo "1 0" >"$dir.count"
    fi
    rm -rf "$dir"
}
export -f one compare wanted_here

if [ $# -eq 0 ]; then
    set -- "$TOP"/tests/golden/*
fi
for what in "$@"; do
    [ -e "$what" ] || [ -e "$TOP/tests/golden/$what" ] || { echo "run_golden.sh: there is no case or command $what" \
        >&2; exit 2; }
    [ ! -f "$what" ] || named+=" $(realpath "$what")"
done
for what in "$@"; do
    # a command, though folders of the tree have such names, too
    [ ! -e "$TOP/tests/golden/$what" ] || what=$TOP/tests/golden/$what
    if [ -d "$what" ]; then
        find "$(realpath "$what")" -name '*.sh' -print0
    else
        printf '%s\0' "$(realpath "$what")"
    fi
done | sort -z | xargs -0 -r -n 1 -P "${JOBS:-2}" bash -c 'one "$1"' _
cat "$results"/*.count 2>/dev/null | awk '{ p += $1; f += $2 }
    END { printf "golden" (ENVIRON["HEAVY"] ? "-heavy" : "") ": %d passed, %d failed\n", p, f; exit f > 0 ||
        p + f == 0 }'
