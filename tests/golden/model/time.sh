# Times of kernels without a simulation: their parts add up, larger inputs take longer, and what is refused. One
# worker: how many launches CUTS needs depends on the order of its blocks.
$WARPSCAPE suite run -j 1 --scale tiny --profile -d p.db MM HIS CUTS 2>/dev/null >/dev/null
$WARPSCAPE model time -d p.db | grep -v '^# [tc]' | cut -d, -f1-3
$WARPSCAPE model time -d p.db --config rtx3090 | grep -v '^#' | awk -F, 'NR == 1 { next }
    { for (i = 6; i <= NF; i++) sum += $i; cycles += $4; seconds += $5 }
    END { print (sum > 0.999999 * cycles && sum < 1.000001 * cycles ? "parts add up" : "parts: " sum ", cycles " cycles)
        d = cycles / seconds / 1.695e9; print (d > 0.999999 && d < 1.000001 ? "seconds are those of its clock" : "clock: " d) }'
cycles() { $WARPSCAPE model time -d p.db "$@" | grep -v '^#' | awk -F, '$1 == "MM" { print $4 }'; }
more() { awk -v a="$1" -v b="$2" 'BEGIN { print (a > b ? "longer" : "not longer: " a ", " b) }'; }
more "$(cycles --set chip.launch=5000)" "$(cycles)"
more "$(cycles --set shared.read=60)" "$(cycles)"
more "$(cycles --set l2.latency=300)" "$(cycles)"
try() { $WARPSCAPE model time "$@" 2>&1 | tail -n 1; }
try -d none.db
try -d p.db --config four-chiplets
try -d p.db --config baseline
try -d p.db HIS
