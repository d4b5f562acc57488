#!/usr/bin/env bash
# Does tests/silicon.sh put the counters of a simulation into the right columns? Four kernels of tests/anchors stand for programs that
# were fetched; what they read and write follows from their sizes.
# usage: check_silicon.sh PROGRAM
set -u
WARPSCAPE=$(realpath "${1:?program}")
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cache/traces" "$work/none"
"$WARPSCAPE" exec anchors/four.ptx anchors/four.launch --trace "$work/cache/traces/sgemm.wst" >/dev/null || exit 1
cat >"$work/card.csv" <<'END'
# vecadd of 2^18 floats, as an exact card has it: two arrays read, one written, each sector once
kernel,cycles,l1_read_hit,l1_read_miss,l1_write_hit,l1_write_miss,constant,shared,dram_read,dram_write,l2_read_hit,l2_read_miss,l2_write_hit,noc,idle_sms,watts
sgemm,20000,0,65536,0,32768,,0,65536,0,0,65536,32768,,,
END
passed=0 failed=0
check() { # WHAT EXPECTED GOT
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: expected $2, got $3"; fi
}
run() { ./silicon.sh --warpscape "$WARPSCAPE" --cache "$work/cache" --card "$work/card.csv" --csv "$work/rows.csv" "$@"; }
run --only '^sgemm$' "$work/none" -- --config qv100 >"$work/table" 2>"$work/errors"
check 'exit status' 0 $?
value() { awk -F, -v c="$1" '$1 == "sgemm" && $2 == c { print $5 }' "$work/rows.csv"; }
for column in l1_read_miss l1_write_miss l2_read_miss l2_write_hit dram_read; do check "$column" 1.0000 "$(value $column)"; done
check 'kernels in the mean' 1 "$(grep -c '^cycles: 1 kernels, mean absolute error' "$work/table")"
check 'last line' 'silicon: 1 passed, 0 failed' "$(tail -n 1 "$work/table")"
run --only '^hotspot$' "$work/none" >"$work/table" 2>"$work/errors"
check 'exit status without sources' 1 $?
check 'which suite is missing' 1 "$(grep -c '^silicon: hotspot: no folder .*cuda/hotspot below .*: fetch its suite$' "$work/errors")"
# One line that says what is wrong with what was given.
bad() { # ARGUMENTS... : PATTERN of the line
    local pattern=${!#} status
    ./silicon.sh "${@:1:$#-1}" >"$work/table" 2>"$work/errors"
    status=$?
    check "silicon.sh ${*:1:$#-1}: exit status, lines, line" "2 1 1" "$status $(wc -l <"$work/errors") $(grep -c "$pattern" "$work/errors")"
}
bad "$work/nowhere" '^silicon: .*nowhere: no such folder; .* expected'
bad --onyl x "$work/none" '^silicon: --onyl: no such option'
bad "$work/none" --shape '^silicon: --shape: expected nothing, or --'
bad --warpscape "$work/nothing" "$work/none" '^silicon: .*nothing: no such program'
bad --card "$work/nothing" --warpscape "$WARPSCAPE" "$work/none" '^silicon: .*nothing: cannot be read'
bad --warpscape "$WARPSCAPE" --cache "$work/cache" --only '^nokernel$' "$work/none" '^silicon: no kernel of .*matches'
# The trace above has operands, so it can be shaped; what cannot be simulated is named with the reason.
run --only '^sgemm$' "$work/none" -- --shape >"$work/table" 2>"$work/errors"
check 'shaped' 'silicon: 1 passed, 0 failed' "$(tail -n 1 "$work/table")"
run --only '^sgemm$' "$work/none" -- --set no.such=1 >"$work/table" 2>"$work/errors"
check 'refused by sim' 1 "$(grep -c '^silicon: sgemm: .*no[.]such' "$work/errors")"
echo "silicon: $passed passed, $failed failed"
[ $failed -eq 0 ]
