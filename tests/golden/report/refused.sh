# Each fails with one line, but for what a page can say in words: of one kernel there is no map, without gnuplot there
# are no still figures.
$WARPSCAPE report -o report
$WARPSCAPE suite run --scale tiny MM 2>/dev/null
for option in '--k 1' '--linkage ward' '--per kernel' '--set study' '--variance 0.5' '--ranks'; do $WARPSCAPE report \
    -o no $option; done
$WARPSCAPE report -o one && grep -c 'There is no map of components and clusters' one/index.html
$WARPSCAPE suite run --scale tiny MT PR 2>/dev/null
$WARPSCAPE report -o no --k 4
$WARPSCAPE report -o no --sizes 4
$WARPSCAPE report -o /dev/null/report
$WARPSCAPE report -o ""
GNUPLOT=/nowhere/gnuplot $WARPSCAPE report -o plain && ls plain/figures &&
    grep -c 'gnuplot is not installed' plain/index.html
echo garbage >damaged.db
$WARPSCAPE report --db damaged.db -o no
$WARPSCAPE report -o no nowhere.csv
printf 'name,x\n' >empty.csv
$WARPSCAPE report -o no empty.csv
printf 'name,x\na,1\nb,1\nc,1\n' >equal.csv
$WARPSCAPE report -o no --k 2 equal.csv
$WARPSCAPE report -o equal equal.csv
rm warpscape.db damaged.db
ls
