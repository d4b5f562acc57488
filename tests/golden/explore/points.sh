# Points in order whoever works; a front that nothing beats; a file that goes on; what is wrong.
$WARPSCAPE suite run --scale tiny --profile --trace traces -d e.db MT SRAD >/dev/null 2>&1
vary='--vary chip.core_clock=700MHz,1GHz,1.4GHz --vary chip.sms=4,8,16'
$WARPSCAPE explore gtsc -d e.db $vary -j 1 | grep -v '^# command' >one.csv
$WARPSCAPE explore gtsc -d e.db $vary -j 4 | grep -v '^# command' >four.csv
cmp one.csv four.csv && echo "the same with four workers"
grep -v '^#' one.csv | cut -d, -f1,2 | head -n 4
# The front by definition, and in order.
awk -F, '/^#/ || !n++ { next } { k++; s[k] = $4; j[k] = $5; f[k] = $9 } END { for (a = 1; a <= k; a++) { beaten = 0;
    for (b = 1; b <= k; b++)
    if (s[b] <= s[a] && j[b] <= j[a] && (s[b] < s[a] || j[b] < j[a])) beaten = 1; wrong += f[a] == beaten;
        on += f[a] }; print k " points, wrong " wrong + 0 ", on the front " (on > 0) }' one.csv
$WARPSCAPE explore gtsc -d e.db $vary --front |
    awk -F, '/^#/ || !n++ { next } { if ($4 < last || !$9) print "out of order"; last = $4 }'
# One point is what what-if says of the machine.
$WARPSCAPE what-if gtsc gtsc -d e.db | awk -F, '$1 == "all" { print $3, $4, $5; exit }' >whatif
awk -F, '$1 == "1.4GHz" && $2 == 16 { print $3, $4, $5 }' one.csv | cmp - whatif && echo "as what-if"
# A file that goes on: a row is taken as it stands there.
$WARPSCAPE explore gtsc -d e.db --vary chip.sms=4,8 -o out.csv
sed -i 's/^4,[0-9]*,/4,12345,/; /^8,/d' out.csv
$WARPSCAPE explore gtsc -d e.db --vary chip.sms=4,8 -o out.csv
grep -v '^#' out.csv | cut -d, -f1,2 | sed 's/^8,.*/8, worked out/'
$WARPSCAPE explore gtsc -d e.db --vary chip.sms=4,8 --set l1.ways=2 -o out.csv 2>&1
$WARPSCAPE explore gtsc --simulate --vary chip.sms=4,8 traces | grep -c '^[48],'
# The same bytes where a simulated point is missing and comes later.
$WARPSCAPE explore gtsc --simulate --vary chip.sms=4,8,12 traces -o sim.csv
cp sim.csv whole.csv
sed -i '/^8,/d' sim.csv
$WARPSCAPE explore gtsc --simulate --vary chip.sms=4,8,12 traces -o sim.csv
cmp sim.csv whole.csv && echo "the same when it goes on"
# What makes no difference is said to make none, and what does is not.
for how in '-d e.db' '--simulate traces'; do
    $WARPSCAPE explore gtsc --vary sm.memory_queue=1,8 --vary chip.sms=4,8 $how | grep 'difference' ||
        echo "$how: all make a difference"
done
$WARPSCAPE explore gtsc -d e.db 2>&1 | head -n 1
$WARPSCAPE explore --vary chip.sms=4 2>&1 | head -n 1
$WARPSCAPE explore gtsc --vary chip.sms 2>&1 | head -n 1
$WARPSCAPE explore gtsc --vary chip.sms=4,,8 2>&1 | head -n 1
$WARPSCAPE explore gtsc -d e.db --vary chip.smss=4,8 2>&1 | head -n 1
$WARPSCAPE explore gtsc -d e.db --vary chip.sms=4,many 2>&1 | head -n 1
$WARPSCAPE explore gtsc --simulate --vary chip.sms=4 2>&1 | head -n 1
