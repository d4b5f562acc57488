#!/usr/bin/env bash
# Does docs/kernels.md tell the truth, and do the tools find the three faults of tests/session/spots.cu, where they are?
# Three looks: each command of the page prints what stands there, and what it quotes is in the source; findings are at
# the lines that have the faulty text, and nowhere else, with any input; and, where the nvcc is that made it, the PTX
# beside spots.cu is that of spots.cu.
# usage: run_session.sh [--rewrite] BUILD    (build/release; --rewrite puts into the page what comes out)
set -u
rewrite=()
[ "${1:-}" != --rewrite ] || { rewrite=(--rewrite) && shift; }
build=$(realpath "${1:?build folder}") top=$(cd "$(dirname "$0")/../.." && pwd)
warpscape=$build/warpscape programs=$build/tests/session source=$top/tests/session/spots.cu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export LC_ALL=C
# shellcheck source=tests/runners/counting.sh
. "$top/tests/runners/counting.sh"

# at TEXT: the place of the only line of the source that has it.
at() {
    local lines
    lines=$(grep -nF -- "$1" "$source" | cut -d: -f1)
    case $lines in
    '' | *$'\n'*) echo "spots.cu has '$1' not once" >&2 ;;
    *) echo "spots.cu:$lines" ;;
    esac
}

# ---- the page ----

page() { "$top/tests/runners/run_examples.sh" "${rewrite[@]}" session "$warpscape" docs/kernels.md; }
check 'docs/kernels.md shows what its commands print (--rewrite)' page
# quoted: each line of the page's blocks of C is one of the source.
quoted() {
    awk '/^```/ { inside = $0 == "```c"; next } inside' "$top/docs/kernels.md" | grep -vxFf "$source" |
        sed 's/^/not in spots.cu: /' | (! grep .)
}
check 'docs/kernels.md quotes what is in spots.cu' quoted
for text in 'x = i / height' 'totals[warp] = sum;' 'sum += totals[w];'; do
    line=$(at "$text")
    check "docs/kernels.md speaks of line ${line#*:}, which has '$text'" grep -q "line ${line#*:}[^0-9]" \
        "$top/docs/kernels.md"
done

# ---- the faults ----

# findings DB WORKLOAD RULE: "KERNEL PLACE" of what summary finds by this rule.
findings() {
    "$warpscape" summary --db "$1" --format csv --most 10 "$2" |
        awk -v rule="$3" 'match($0, /\)",/) && index($0, "," rule ",") { split(substr($0, RSTART + RLENGTH), f, ",");
            split($0, k, /[",(]+/); print k[2], f[2] }'
}
# found DB WORKLOAD RULE WANTED: it finds these and no other.
found() { diff <(printf '%s' "${4:+$4$'\n'}") <(findings "$1" "$2" "$3"); }
# logged LOG COMMAND...: what it says goes to LOG, too.
logged() {
    local log=$1 status=0
    shift
    "$@" >"$log" 2>&1 || status=$?
    cat "$log"
    return $status
}
# ends STATUS COMMAND...
ends() {
    local wanted=$1 status=0
    shift
    "$@" || status=$?
    [ $status -eq "$wanted" ] || { echo "exit status $status instead of $wanted"; return 1; }
}
races() {
    sed -n 's/^warpscape: race: .*kernel \([a-z_]*\)(.*): \(spots.cu:[0-9]*\) (\([a-z]*\) .* and \(spots.cu:[0-9]*\) (\([a-z]*\) .*shared `\([a-z]*\)`.*/\1 \3 \2 \5 \4 \6/p' "$1"
}
# has_race LOG: one, in scan, of the line that reads the totals and the one that writes them.
has_race() {
    diff <(echo "scan read $(at 'sum += totals[w];') write $(at 'totals[warp] = sum;') totals") <(races "$1") &&
        [ "$(grep -c '^warpscape: [a-z]*: ' "$1")" -eq 1 ]
}
# right LOG: the program's own check.
right() { grep -q 'pixels: PASSED$' "$1"; }

cd "$dir" && ln -s "$source" . || exit 1
for size in '256' '64 48' '272 528'; do
    db=$dir/${size// /x}.db
    for program in spots mended; do
        # shellcheck disable=SC2086
        check "$program $size runs" logged log "$warpscape" run --quiet --db "$db" "$programs/$program" $size
        check "$program $size is right" right log
    done
    check "$size: loads of columns" found "$db" spots uncoalesced_loads "blur_columns $(at 'sum += in[min(max(y + d')"
    check "$size: stores of columns" found "$db" spots uncoalesced_stores \
        "blur_columns $(at 'out[y * width + x] = sum')"
    check "$size: bank conflicts" found "$db" spots bank_conflicts "sum_light $(at 'part[at] += part[at + step];')"
    for rule in uncoalesced_loads uncoalesced_stores bank_conflicts; do
        check "$size: no $rule when mended" found "$db" mended $rule ''
    done
    # shellcheck disable=SC2086
    {
        check "$size: a race" ends 1 logged log "$warpscape" run --quiet --db "$dir/c.db" --check race,init,sync,leak \
            "$programs/spots" $size
        check "$size: where it is" has_race log
        check "$size: no finding when mended" ends 0 "$warpscape" run --quiet --db "$dir/c.db" \
            --check race,init,sync,leak "$programs/mended" $size
    }
    for rule in 'coal_sectors_per_request>10%' 'coal_bank_slowdown>10%'; do
        check "$size: mending meets no $rule" ends 0 "$warpscape" diff --db "$db" spots mended --fail-if "$rule"
        check "$size: going back meets $rule" ends 1 "$warpscape" diff --db "$db" mended spots --fail-if "$rule"
    done
done

# ---- the PTX ----

compiler() { sed -n 's/.*Cuda compilation tools, \(release .*\)/\1/p' | head -n 1; }
# code PTX: without the names of inlined functions, in which nvcc puts a number that the folder leads to.
code() { grep -v '^\.b8 ' "$1"; }
fresh() {
    "$top/tests/session/make_ptx.sh" "$dir" && diff <(code "$dir/spots.ptx") <(code "$top/tests/session/spots.ptx") &&
        diff <(code "$dir/mended.ptx") <(code "$top/tests/session/mended.ptx")
}
if [ "$("${NVCC:-nvcc}" --version 2>/dev/null | compiler)" = "$(compiler <"$top/tests/session/spots.ptx")" ]; then
    check 'the PTX is that of spots.cu (make cuda-ptx)' fresh
else
    echo 'note: not the nvcc that made the PTX of spots.cu, so nothing was compared with it'
fi
echo "session: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
