#!/usr/bin/env bash
# Does tests/silicon/silicon.sh put the counters of a simulation into the right columns? The first kernel of
# tests/anchors stands for a program that was fetched; what it reads and writes follows from its size.
# usage: check_silicon.sh PROGRAM
set -u
WARPSCAPE=$(realpath "${1:?program}")
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cache/traces" "$work/none"
sed '/^launch/q' anchors/four.launch >"$work/one.launch"
"$WARPSCAPE" exec anchors/four.ptx "$work/one.launch" --trace "$work/cache/traces/sgemm.wst" >/dev/null || exit 1
cat >"$work/card.csv" <<'END'
# vecadd of 2^18 floats, as an exact card has it: two arrays read, one written, each sector once
kernel,cycles,l1_read_hit,l1_read_miss,l1_write_hit,l1_write_miss,constant,shared,dram_read,dram_write,l2_read_hit,l2_read_miss,l2_write_hit,noc,idle_sms,watts
sgemm,20000,0,65536,0,32768,,0,65536,0,0,65536,32768,,,
END
passed=0 failed=0
check() { # WHAT EXPECTED GOT
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: expected $2, got $3"; fi
}
run() {
    silicon/silicon.sh --warpscape "$WARPSCAPE" --cache "$work/cache" --card "$work/card.csv" --csv "$work/rows.csv" \
        "$@"
}
run --only '^sgemm$' "$work/none" -- --config qv100 >"$work/table" 2>"$work/errors"
check 'exit status' 0 $?
value() { awk -F, -v c="$1" '$1 == "sgemm" && $2 == c { print $5 }' "$work/rows.csv"; }
for column in l1_read_miss l1_write_miss l2_read_miss l2_write_hit dram_read; do check "$column" 1.0000 \
    "$(value $column)"; done
check 'kernels in the mean' 1 "$(grep -c '^cycles: 1 kernels, mean absolute error' "$work/table")"
check 'last line' 'silicon: 1 passed, 0 failed' "$(tail -n 1 "$work/table")"
run --only '^hotspot$' "$work/none" >"$work/table" 2>"$work/errors"
check 'exit status without sources' 1 $?
check 'which suite is missing' 1 "$(grep -c '^silicon: hotspot: no folder .*cuda/hotspot below .*: fetch its suite$' \
    "$work/errors")"
# One line that says what is wrong with what was given.
bad() { # ARGUMENTS... : PATTERN of the line
    local pattern=${!#} status
    silicon/silicon.sh "${@:1:$#-1}" >"$work/table" 2>"$work/errors"
    status=$?
    check "silicon.sh ${*:1:$#-1}: exit status, lines, line" "2 1 1" \
        "$status $(wc -l <"$work/errors") $(grep -c "$pattern" "$work/errors")"
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
# Watts, at the machine that the card's file names; without it they are refused.
run --power --only '^sgemm$' "$work/none" >"$work/table" 2>"$work/errors"
check 'watts without a machine' "2 1" "$? $(grep -c '^silicon: .*card.csv: no line' "$work/errors")"
sed -i '1s/.*/# power: --config qv100 --set chip.core_clock=1447MHz/; s/^sgemm,.*/sgemm,,,,,,,,,,,,,,,100/' \
    "$work/card.csv"
run --power --only '^sgemm$' "$work/none" >"$work/table" 2>"$work/errors"
check 'watts' 'silicon: 1 passed, 0 failed' "$(tail -n 1 "$work/table")"
watts=$(awk '$1 == "sgemm" { print $2 }' "$work/table")
check 'watts are more than the card alone, and the ratio theirs' 1 "$(awk -F, -v w="$watts" '
    $1 == "sgemm" { print (w > 40 && w < 300 && $2 - w < 1 && $4 * 100 - $2 < 0.1) }' "$work/rows.csv")"
check 'kernels in the mean of watts' 1 "$(grep -c '^watts: 1 kernels, mean absolute error' "$work/table")"
"$WARPSCAPE" sim --config qv100 --set chip.core_clock=1447MHz --launch 1 --repeated --power "$work/one.csv" \
    "$work/cache/traces/sgemm.wst" >/dev/null
check 'the same as sim --power' "$watts" "$(awk -F, '
    /^#/ { next }
    !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { printf "%.1f", $at["watts"] }' "$work/one.csv")"
echo "silicon: $passed passed, $failed failed"
[ $failed -eq 0 ]
