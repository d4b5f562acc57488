# docs/claims.md has each function with the words of --functions; nothing is printed.
$WARPSCAPE claims --functions | sed -E 's/\) +/) /' | sort >functions
sed -n 's/^| `\([a-z]*([^`]*)\)` | \(.*\) |$/\1 \2/p' "$TOP/docs/claims.md" | sort >documented
comm -23 functions documented
