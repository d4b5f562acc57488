# Each fails with one line.
$WARPSCAPE report -o report
$WARPSCAPE suite run --scale tiny MM 2>/dev/null
$WARPSCAPE report -o report
$WARPSCAPE suite run --scale tiny MT 2>/dev/null
$WARPSCAPE report -o report --k 3
$WARPSCAPE report -o report --sizes 3
$WARPSCAPE report -o /dev/null/report
$WARPSCAPE report -o ""
GNUPLOT=/nowhere/gnuplot $WARPSCAPE report -o report
echo garbage >damaged.db
$WARPSCAPE report --db damaged.db -o report
rm warpscape.db damaged.db
ls
