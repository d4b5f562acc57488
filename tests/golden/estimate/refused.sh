# One line for each, exit status 1 or 2; or a line of caution and a wider interval.
try() { echo "--- $1"; shift; "$@" 2>&1 >out.csv; echo "exit status $?"; [ ! -s out.csv ] || echo "it printed something"; }
E="$WARPSCAPE estimate"
subset() { printf '# labels: 4\nsize,method,members,weights,speedup\n'; cat; }
awk 'BEGIN { print "w,a,b,zero,constant,cycles,instr"; for (i = 1; i <= 9; i++) print "w" i "," i "," 10 - i ",0,5," i * 10 "," i * 100 }' >base.csv
cp base.csv new.csv
echo '4,complete,w1 w3 w5 w7,3 2 2 2,2' | subset >m.csv
try 'no base' $E m.csv --new new.csv
try 'no new machine' $E m.csv --base base.csv
try 'no members' $E --base base.csv --new new.csv
try 'standard input twice' $E - --base - --new new.csv
try 'no such file' $E m.csv --base none.csv --new new.csv
try 'not a subset' $E base.csv --base base.csv --new new.csv
(cat m.csv; echo '2,complete,w1 w5,5 4,2') >two.csv
try 'which size' $E two.csv --base base.csv --new new.csv
try 'no such size' $E m.csv --size 5 --base base.csv --new new.csv
grep -v '^w[37],' new.csv >few.csv
try 'members not measured' $E m.csv --base base.csv --new few.csv
try 'members unknown on the base' $E m.csv --base few.csv --new new.csv
(cat new.csv; echo w3,1,2,0,5,1,1) >twice.csv
try 'a member twice' $E m.csv --base base.csv --new twice.csv
echo '4,complete,w1 w3 w3 w7,3 2 2 2,2' | subset >same.csv
try 'a member twice in the subset' $E same.csv --base base.csv --new new.csv
echo '1,complete,w3,9,9' | subset >one.csv
try 'one member' $E one.csv --base base.csv --new new.csv
try 'bases of other rows' $E m.csv --base base.csv --base few.csv --new new.csv
sed 's/^w9/q9/' base.csv >other.csv
try 'bases of other names' $E m.csv --base base.csv --base other.csv --new new.csv
sed 's/^w3,3/w3,NA/' new.csv >missing.csv
try 'a missing value' $E m.csv --base base.csv --new missing.csv
try 'a missing value on the base' $E m.csv --base missing.csv --new new.csv
try 'a missing value elsewhere' $E m.csv --base base.csv --new missing.csv --drop a
awk -F, -v OFS=, 'NR > 1 { $7 *= 4 } 1' new.csv >larger.csv
try 'other inputs' $E m.csv --base base.csv --new larger.csv --work instr
try 'other inputs, not asked' $E m.csv --base base.csv --new larger.csv --work none
try 'no such work' $E m.csv --base base.csv --new new.csv --work flops
try 'no such column' $E m.csv --base base.csv --new new.csv --columns c
try 'no such change' $E m.csv --base base.csv --new new.csv --change-of seconds
sed 's/^w3,\(.*\),30,/w3,\1,0,/' new.csv >still.csv
try 'a change to nothing' $E m.csv --base base.csv --new still.csv
cut -d, -f1 base.csv >names.csv
try 'no outcome' $E m.csv --base names.csv --new new.csv
cut -d, -f1,2 base.csv | sed '1s/a/z/' >strange.csv
try 'none in common' $E m.csv --base base.csv --new strange.csv --change-of none
echo '4,draw,w1 w3 w5 w7,0.5 2 2 2,2' | subset >chance.csv
try 'weights below 1' $E chance.csv --base base.csv --new new.csv
try 'confidence' $E m.csv --base base.csv --new new.csv --confidence 100
try 'factor' $E m.csv --base base.csv --new new.csv --widen 0.5
try 'estimator' $E m.csv --base base.csv --new new.csv --estimator mean
cp $GOLDEN/cut.csv .
try 'workload that was not simulated to its end' $E m.csv --base base.csv --new cut.csv
sed '1i # command: warpscape sim -c gtsc --suite --scale tiny --seed 2' new.csv >seed2.csv
sed '1i # command: warpscape sim -c fermi --suite --seed=3 --scale=tiny' new.csv >seed3.csv
sed '1i # command: warpscape sim -c fermi --suite --scale small' new.csv >small.csv
try 'other seeds' $E m.csv --base seed2.csv --new seed3.csv
try 'other sizes' $E m.csv --base small.csv --new seed3.csv
try 'bases of other seeds' $E m.csv --base seed2.csv --base seed3.csv --new seed2.csv
try 'the same seeds' $E m.csv --base seed2.csv --new seed2.csv
# Constant on the base, and zero there: the members alone.
awk -F, -v OFS=, 'NR > 1 { $4 = NR % 3; $5 = NR } 1' new.csv >vary.csv
$E m.csv --base base.csv --new vary.csv --columns zero,constant 2>&1 | grep -v '^# \(command\|tool\|column\)' | cut -d, -f1-7
# Two members have no regression, three no interval of one with a degree of freedom to spare.
echo '2,complete,w1 w3,5 4,2' | subset >pair.csv
$E pair.csv --base base.csv --new new.csv --columns a 2>&1 | grep -v '^# \(command\|tool\|column\)' | cut -d, -f1-3,10-13
# A line that would go below 0.
printf 'w,a\nw1,100\nw3,60\nw5,20\nw7,5\n' >falls.csv
awk -F, -v OFS=, 'NR > 8 { $2 = 300 } { print $1, $2 }' base.csv >heavy.csv
$E m.csv --base heavy.csv --new falls.csv --estimator regression --widen 1 2>&1 | grep -v '^# \(command\|tool\|column\)' | cut -d, -f1-7
