# Any number of workers gives the same frame, bit for bit.
for j in 1 2 5; do
    "$WARPSCAPE" suite run --scale tiny -j $j --db $j.db BFS SRAD 2>log
    "$WARPSCAPE" metrics --set all --per launch --db $j.db | grep -v '^# \(command\|run\)' >$j.csv
done
cmp 1.csv 2.csv && cmp 1.csv 5.csv && echo same
