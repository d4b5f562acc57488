# From a results file to a list and its table, by every method, and in the forms of others.
"$WARPSCAPE" suite run --scale tiny --db x.db BFS KM MT 2>/dev/null
"$WARPSCAPE" sample x.db -o list.csv
cat list.csv
for method in sieve pka random; do
    "$WARPSCAPE" sample --db x.db --method $method BFS 2>&1 | grep -v '^# tool\|^# command'
done
"$WARPSCAPE" sample x.db --error 20% --confidence 90% --split 0.3 --seed 7 KM 2>&1 | grep -v '^#'
"$WARPSCAPE" sample x.db --method random --count 2 --seed 3 KM 2>&1 | grep -v '^#'
for form in accelsim nvbit numbers; do "$WARPSCAPE" sample x.db KM --export $form 2>/dev/null; done
