# Results files, one workload of each, and workloads of one file.
"$WARPSCAPE" suite run --scale tiny --db x.db MT 2>/dev/null
"$WARPSCAPE" suite run --scale tiny --seed 2 --db y.db MT HIS 2>/dev/null
"$WARPSCAPE" diff x.db y.db
"$WARPSCAPE" diff x.db:mt y.db:MT
"$WARPSCAPE" diff --db y.db --set modern MT his
"$WARPSCAPE" metrics --db x.db --per kernel --set modern >x.csv
"$WARPSCAPE" diff x.csv y.db:MT --set modern
