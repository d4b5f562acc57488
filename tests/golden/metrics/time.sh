# Only --time shows what differs from run to run.
"$WARPSCAPE" suite run --scale tiny MM 2>log
"$WARPSCAPE" metrics --set study --time | grep -v '^#' | head -1 | cut -d, -f1-3
"$WARPSCAPE" metrics --set study --time | tail -1 | awk -F, '{ print ($2 > 0) }'
