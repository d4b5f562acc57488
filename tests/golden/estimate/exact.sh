# Estimates that are known by hand: new outcomes that are exact functions of those of the base, and intervals of simple random sampling.
awk 'BEGIN { print "w,ipc,misses,watts"; for (i = 1; i <= 12; i++) print "w" i "," i * i "," 20 - i "," 100 + (i * 5) % 12 }' >base.csv
# twice the base: ratio and regression agree; plus 7: the difference; no relation: the mean of the members
awk -F, 'NR == 1 { print $0 ",other"; next } { print $1 "," 2 * $2 "," $3 + 7 "," 50 + (NR * 7) % 12 "," NR }' base.csv >new.csv
members='size,method,members,weights\n4,complete,w2 w5 w8 w11,3 3 3 3\n'
printf '# labels: 4\n'"${members/weights/weights,speedup}" | sed '$s/$/,3/' >m.csv
short() { grep -v '^# \(command\|tool\)' | awk -F, '/^#/ { print; next } { for (i = 1; i <= NF; i++) printf "%s%s", (i == 1 ? "" : ","),
    (i > 3 && $i ~ /^[-0-9.e]+$/ ? sprintf("%.6g", $i) : $i); print "" }'; }
$WARPSCAPE estimate m.csv --base base.csv --new new.csv --change-of ipc | short
# One estimator for all, another confidence and factor; only some columns.
$WARPSCAPE estimate m.csv --base base.csv --new new.csv --estimator plain --widen 1 --confidence 90 --columns watts | short | tail -n 1
$WARPSCAPE estimate m.csv --base base.csv --new new.csv --drop watts,misses | short | tail -n 1
# Several machines: changes between each two; the extra rows of a frame do not matter.
(head -n 1 new.csv; grep -e '^w2,' -e '^w5,' -e '^w8,' -e '^w11,' new.csv) >part.csv
$WARPSCAPE estimate m.csv --base base.csv --new part.csv --new new.csv --change-of watts --columns ipc | short | cut -d, -f1-4
# Members on standard input, and the size that was measured.
(cat m.csv; echo '2,complete,w3 w9,6 6,6') | $WARPSCAPE estimate - --size 2 --base base.csv --new new.csv --columns misses | short | tail -n 1
