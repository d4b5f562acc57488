# One line each, exit status 2.
try() { "$WARPSCAPE" model chameleon "$@" 2>&1 | sed -n 1p; echo "exit status ${PIPESTATUS[0]}"; }
try day.csv
try --policy clever
try --base clever
try --policy energy --policy energy
try --days 0
try --days soon
try --seed -1
try --seeds -1
try --seeds 0
try --jobs 0
try --set capacity
try --per day
try --db x.db --workload MM
try --timeline t.csv
try --supply LpLv --workload MM --policy energy --seeds 2 --learning l.csv
try --sensitivity --timeline t.csv
try --sensitivity --policy energy --policy sarsa
try --machine gtsc
