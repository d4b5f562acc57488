"$WARPSCAPE" summary
"$WARPSCAPE" suite run --scale tiny --db x.db MT 2>/dev/null
"$WARPSCAPE" summary --db x.db MT absent
"$WARPSCAPE" summary --db x.db MT '('
"$WARPSCAPE" summary --db x.db --most 0
"$WARPSCAPE" summary --db x.db a b c
"$WARPSCAPE" summary --db x.db nosuch
"$WARPSCAPE" summary --db x.db --format csv transpose_na
