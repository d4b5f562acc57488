# A machine beside itself is the same; one with a lower clock takes longer; simulated and estimated; what is wrong.
$WARPSCAPE suite run --scale tiny --profile --trace traces -d w.db MT SRAD >/dev/null 2>&1
$WARPSCAPE what-if gtsc gtsc -d w.db >same.csv
awk -F, '/^#/ || !n++ { next } { for (i = 9; i <= NF; i++) if ($i != 1) print $1, $2, $i }
    END { print n - 1 " rows" }' same.csv
sed 's/^core_clock = .*/core_clock = 700 MHz/' "$TOP/data/configs/gtsc.ini" >slow.ini
for how in '-d w.db' traces '--simulate traces'; do
    $WARPSCAPE what-if gtsc ./slow.ini $how >both.csv
    awk -F, -v how="$how" '/^#/ || !n++ { next } $2 == "slow" { good += $10 > 1 && $12 < 1 && $14 > 0.9 && $14 < 1.1;
        rows++ } END { print how ": longer, less power, the same traffic in " good " of " rows }' both.csv
    grep '^# times' both.csv
    # What all have is the sum of the workloads.
    awk -F, '/^#/ || !n++ { next } $1 != "all" { s[$2] += $5; next } { d = s[$2] / $5 - 1;
        print $2 ": " (d < 1e-9 && d > -1e-9 ? "sums" : "no") }' both.csv
done
$WARPSCAPE whatif gtsc gtsc -d w.db | tail -n 1 | cut -d, -f1,2,9-
# What does not differ is said.
sed 's/^scheduler = .*/&\nmemory_queue = 1/' "$TOP/data/configs/gtsc.ini" >queue.ini
for how in '-d w.db' '--simulate traces'; do
    $WARPSCAPE what-if gtsc ./queue.ini $how | grep '^# queue' || echo "$how: queue differs from gtsc"
done
$WARPSCAPE what-if gtsc 2>&1 | head -n 1
$WARPSCAPE what-if gtsc nothing -d w.db 2>&1 | sed 's/ in .*//'
$WARPSCAPE what-if gtsc gtsc --simulate 2>&1 | head -n 1
$WARPSCAPE what-if gtsc gtsc -d none.db 2>&1 | head -n 1
$WARPSCAPE what-if gtsc gtsc -d w.db traces 2>&1 | head -n 1
