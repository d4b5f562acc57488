# Rows that count differently: as if a row of importance 3 stood three times in the frame.
awk 'BEGIN { print "w,ipc,load"; for (i = 1; i <= 10; i++) print "w" i "," i * i "," 5 * i }' >base.csv
awk -F, 'NR == 1 { print; next } { print $1 "," 2 * $2 + (NR * 7) % 5 "," $3 + 1 }' base.csv >new.csv
awk 'BEGIN { print "w,count"; for (i = 1; i <= 10; i++) print "w" i "," (i % 3 ? 1 : 3) }' >count.csv
rows() { grep -v '^#'; }
try() { "$@" 2>&1 >/dev/null | head -n 1; }
# The mean over all rows and its estimate from all of them, drawn with certainty: sums by awk beside them.
$WARPSCAPE subset --draw --base base.csv --sizes 10 --importance count.csv:count >all.csv
$WARPSCAPE estimate all.csv --base base.csv --new new.csv --importance count.csv:count --columns ipc | rows | cut -d, -f1-7 | tail -n 1
paste -d, count.csv new.csv | awk -F, 'NR > 1 { sum += $2 * $4; n += $2 } END { print sum / n }'
# Support points of the frame with copies are those of the frame with importance.
awk -F, 'NR == FNR { n[$1] = $2; next } FNR == 1 { print; next } { for (k = 1; k <= n[$1]; k++) print $1 (k > 1 ? "-" k : "") "," $2 "," $3 }' \
    count.csv base.csv >copies.csv
$WARPSCAPE subset base.csv --sizes 1,2 --importance count.csv:count | rows | cut -d, -f1-3
$WARPSCAPE subset copies.csv --sizes 1,2 | rows | cut -d, -f1-3
$WARPSCAPE subset base.csv --sizes 5 --importance count.csv:count >five.csv
$WARPSCAPE evaluate new.csv --base base.csv --importance count.csv:count all.csv five.csv | rows | cut -d, -f1-8
try $WARPSCAPE estimate five.csv --base base.csv --new new.csv
$WARPSCAPE subset base.csv --sizes 5 >plain.csv
try $WARPSCAPE estimate plain.csv --base base.csv --new new.csv --importance count.csv:count
try $WARPSCAPE subset base.csv --sizes 2 --importance count.csv
try $WARPSCAPE subset base.csv --sizes 2 --importance count.csv:weight
try $WARPSCAPE subset base.csv --sizes 2 --importance count.csv:count --method ward
sed 's/,3$/,-3/' count.csv >negative.csv
try $WARPSCAPE subset base.csv --sizes 2 --importance negative.csv:count
sed 's/,[13]$/,0/' count.csv >none.csv
try $WARPSCAPE estimate all.csv --base base.csv --new new.csv --importance none.csv:count
head -n 5 count.csv >few.csv
try $WARPSCAPE evaluate new.csv --importance few.csv:count all.csv
