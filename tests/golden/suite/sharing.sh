# Which workloads belong to a study of data sharing, and in which form does each pattern of SHARE share its lines of 128
# bytes? Rows are pattern, kernel, the share of lines that several blocks use, of lines that several use and one writes,
# and most blocks of a line: what one can count by hand. Of pattern 1 48 rows of 80 lines (32 take results), by three
# blocks each; of pattern 8 two rows of six.
"$WARPSCAPE" suite list --sharing | cut -d, -f1-5
"$WARPSCAPE" suite list --sharing --divergence 2>&1 | head -n 1
"$WARPSCAPE" suite run --sharing SGM 2>&1 | head -n 1
"$WARPSCAPE" suite run --scale tiny --sharing -d x.db 2>&1 | sed 's/,.*//'
w=$(dirname "$WARPSCAPE")/workloads
for pattern in 1 2 3 4 5 6 7 8; do
    "$WARPSCAPE" run -q -j 1 -n $pattern -d s.db -- "$w/SHARE" --scale tiny --size pattern=$pattern >log || cat log
done
"$WARPSCAPE" metrics --per kernel --set modern -d s.db | grep -v '^#' | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { printf "%s %s %.3f %.3f %d\n", $1, $at["kernel"], $at["sharing_cta"], $at["sharing_cta_written"],
        $at["sharing_users_max"] }'
for wrong in sharers=9 pattern=4,rows=2 pattern=9 blocks=1024,rows=65536; do "$w/SHARE" --scale tiny --size $wrong \
    2>&1 | head -n 1; done
"$w/HWL" --size radius=64,search=32 2>&1
true
