# Required and excluded rows, a budget, the error on a base, and draws.
awk 'BEGIN { print "w,x,y"; for (i = 1; i <= 12; i++) print "w" i "," i "," (i * 5) % 12 }' >points.csv
awk 'BEGIN { print "w,hours"; for (i = 12; i; i--) print "w" i "," i }' >hours.csv
awk 'BEGIN { print "w,ipc,power"; for (i = 12; i; i--) print "w" i "," i * i "," 50 + i }' >base.csv
rows() { grep -v '^# \(command\|tool\|column\|labels\|warpscape\)'; }
try() { "$@" 2>&1 >/dev/null | head -n 1; }
S="$WARPSCAPE subset"
$S points.csv --sizes 2,4 --require w12,w1 | rows
$S points.csv --sizes 4 --exclude w1,w2,w3,w4,w5,w6,w7,w8 | rows
$S points.csv --cost hours.csv:hours --budget 9 | rows
$S points.csv --cost hours.csv:hours --budget 14 --require w12 | rows
$S points.csv --sizes 3,12 --base base.csv | rows
$S points.csv --sizes 3 --base base.csv --outcomes power | rows
# The largest of the base is certain; a seed of draws; the expected cost within the budget.
printf 'w,cycles\na,1\nb,1\nc,1\nd,1\ne,96\n' >one.csv
$S --draw --base one.csv --sizes 2,5 | rows
$S --draw --base one.csv --sizes 2 --seed 7 --exclude a | rows
$S points.csv --draw --base base.csv --sizes 4 --require w1 | rows
$S --draw --base base.csv --cost hours.csv:hours --budget 30 | rows
try $S points.csv --sizes 1 --require w1,w2
try $S points.csv --sizes 12 --exclude w1
try $S points.csv --sizes 2 --require w13
try $S points.csv --sizes 2 --require w1 --exclude w1
try $S points.csv --sizes 2 --require w1 --method complete
$S points.csv --cost hours.csv:hours --budget 2 | rows
awk -F, 'NR > 1 { $2 += 5 } 1' OFS=, hours.csv >dear.csv
try $S points.csv --cost dear.csv:hours --budget 5
try $S --draw --base base.csv --cost dear.csv:hours --budget 5
try $S points.csv --cost hours.csv:hours --budget 5 --require w12
try $S points.csv --budget 5
try $S points.csv --cost hours.csv:hours --sizes 2 --budget 5
try $S points.csv --sizes 2 --draw
try $S --draw --base base.csv --sizes 13
try $S points.csv --sizes 2 --base one.csv
try $S points.csv --sizes 2 --base base.csv --outcomes watts
try $S points.csv --sizes 2 --outcomes watts
printf 'w,cycles\na,0\nb,0\n' >zero.csv
try $S --draw --base zero.csv --sizes 1
# The base on standard input; a base with two rows of a name; rows without importance, which cannot be drawn.
$S --draw --base one.csv --sizes 2 | rows >file.txt
$S --draw --base - --sizes 2 <one.csv | rows | cmp - file.txt && echo same
(cat one.csv; echo a,2) >twice.csv
try $S --draw --base twice.csv --sizes 2
printf 'w,load\na,3\nb,1\nc,0\nd,0\ne,0\n' >load.csv
$S --draw --base one.csv --importance load.csv:load --sizes 2 | tail -n 1
$S --draw --base one.csv --importance load.csv:load --cost one.csv:cycles --budget 9 | tail -n 1
$S --draw --base one.csv --importance load.csv:load --sizes 3 --require e | tail -n 1
try $S --draw --base one.csv --importance load.csv:load --sizes 3
try $S --sizes 2
