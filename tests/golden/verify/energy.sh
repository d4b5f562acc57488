# Joules and cycles of profiles beside those of simulations; what there is besides stays as it is.
$WARPSCAPE suite run --scale tiny --trace . -d v.db MRIF LV >/dev/null 2>&1
$WARPSCAPE verify --energy --tier 1 -p gtsc-rc . >v.csv 2>v.err
awk -F, '/^#/ || !n++ { next } { print $1, $4, ($5 > 0 && $6 > 0), ($7 <= 0.25) == $9 }' v.csv
sed 's/[0-9.]* %/N %/g; s/^\(warpscape verify: \)[0-9]* of/\1N of/' v.err | head -n 1
$WARPSCAPE verify --tier 1 -p gtsc-rc . 2>/dev/null | grep -v '^#' >plain.csv
grep -v '^#' v.csv | grep -v ',energy,\|,cycles,' | cmp - plain.csv && echo "the same without"
$WARPSCAPE verify --energy --tier 2 . 2>&1 | head -n 1
