# A point without energies is on no front, and is no reason why others are not; one that names a chip again has them. A
# file that is gone on with says the same.
$WARPSCAPE suite run --scale tiny --profile -d w.db BFS >/dev/null 2>&1
$WARPSCAPE explore gtsc --vary power.chip=none,gf100 --vary chip.sms=8,16 -d w.db >all.csv
grep '^# power' all.csv
awk -F, '!/^#/ && n++ { print $1, $2, ($3 > 0), $5 == "NA", $9 }' all.csv
$WARPSCAPE explore gtsc --vary power.chip=none,gf100 --vary chip.sms=8,16 -d w.db --front |
    awk -F, '!/^#/ && n++ { print "front:", $1, $9 }' | sort -u
head -n 20 all.csv >part.csv # two of the four
$WARPSCAPE explore gtsc --vary power.chip=none,gf100 --vary chip.sms=8,16 -d w.db -o part.csv
diff <(grep -v '^# command' all.csv) <(grep -v '^# command' part.csv) && echo same
# Before the work: the file with profiles is not read.
$WARPSCAPE explore gtsc --vary chip.sms=8,16 --set power.chip=none -d nowhere.db --front 2>&1
