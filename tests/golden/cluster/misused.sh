# Wrong options: exit status 2 and a hint.
try() { echo "--- $*"; $WARPSCAPE cluster "$@" 2>&1; echo "exit status $?"; }
try
try a.csv b.csv
try a.csv --linkage median
try a.csv --k 0
try a.csv --k 2 --height 1
try a.csv --height -1
try a.csv --assign a
try a.csv --most 3
try a.csv --tree -
try a.csv --quality q.csv --seed 3
try a.csv --quality q.csv --gap 0
