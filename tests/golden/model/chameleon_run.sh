# One run: timeline and learning in at most 2000 rows; figures of it, of many runs, of constants.
quick='--set loop.fine=60s --set loop.coarse=600s --set activity.stall_length=120s --supply LpHv --workload MM'
"$WARPSCAPE" model chameleon $quick --policy chameleon --days 3 --timeline t.csv --learning l.csv >frame.csv
for f in t l; do
    grep -v '^# \(command\|tool\)' $f.csv | grep '^#\|^run'
    awk -F, '!/^[#r]/ { n++; last = $2 } END { print n " rows to hour " last }' $f.csv
done
# Energy of the timeline is that of the frame: the load's energy over the supply's.
awk -F, '!/^[#r]/ { s += $3; l += $4 } END { printf "%.6f\n", l / s }' t.csv
awk -F, '/^LpHv/ { printf "%.6f\n", $7 }' frame.csv
"$WARPSCAPE" model chameleon $quick --policy chameleon -o one >frame.csv
"$WARPSCAPE" model chameleon $quick --workload HY --policy energy --policy chameleon -o many >frame.csv
"$WARPSCAPE" model chameleon $quick --sensitivity -o constants >frame.csv
ls one/* many/* constants/*
"$WARPSCAPE" model chameleon $quick --policy energy --days 1 --learning e.csv >frame.csv
grep -c Q1 e.csv || true # energy holds no values
