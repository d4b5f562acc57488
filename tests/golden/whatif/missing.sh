# Machines that name no chip have time and traffic, and no energies; machines of several chips are simulated; what
# estimates do not know is refused by name.
$WARPSCAPE suite run --scale tiny --profile --trace traces -d w.db FWT HS >/dev/null 2>&1
count='!/^#/ && n++ { for (i = 3; i <= NF; i++) missing[$2] += $i == "NA"; rows[$2]++ } END { for (m in rows) print m ": " missing[m] " missing in " rows[m] " rows" }'
for machines in 'gtsc h100 gtsc-mini rtx3090' 'h100 gtsc'; do
    for how in '-d w.db' '--simulate traces'; do
        echo "== $machines $how"
        $WARPSCAPE whatif $machines $how >list.csv || echo failed
        grep '^# power' list.csv
        awk -F, "$count" list.csv | sort
    done
done
# Seconds are cycles of the machine's clock.
clock=$(sed -n 's/^core_clock = \([0-9]*\) MHz.*/\1/p' "$TOP/data/configs/h100.ini")
awk -F, -v mhz="$clock" '!/^#/ && $2 == "h100" { d = $4 * mhz * 1e6 / $3 - 1;
    print $1 ": " (d < 1e-12 && d > -1e-12 ? "cycles at " mhz " MHz" : "no") }' list.csv
# Several chips: the cycles of `sim', workload by workload.
for machine in two-chips four-chips; do
    $WARPSCAPE whatif gtsc $machine --simulate traces |
        awk -F, -v m=$machine '$2 == m && $1 != "all" { print m "," $1 "," $3, ($5 > 0) }' >whatif.csv
    for workload in FWT HS; do
        $WARPSCAPE sim -c $machine traces/$workload.wst >sim.csv
        awk -F, -v m=$machine -v w=$workload '/^#/ { next }
            !head { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i; head = 1; next }
            $2 == "total" { print m "," w "," $c " 1" }' sim.csv
    done >sim.txt
    diff whatif.csv sim.txt && echo "$machine: as sim"
done
$WARPSCAPE whatif gtsc four-chips -d w.db 2>&1
$WARPSCAPE whatif gtsc two-chips traces 2>&1
$WARPSCAPE explore four-chips --vary l2.ways=8,16 -d w.db 2>&1
# Energies of accesses alone are not compared with those of a chip.
$WARPSCAPE whatif gtsc four-chiplets --simulate traces |
    awk -F, '/^# power/ || ($1 == "all" && $2 == "four-chiplets") {
    print (NF > 4 ? $1 "," $2 ": " ($5 > 0) " " $11 " " $12 " " $13 : $0) }'
