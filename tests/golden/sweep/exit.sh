# A point that exits with the status that `exit =' names is done: the frame has its rows and its status. Without the key
# it fails, also where it was done under a plan with the key.
cat >study.ini <<'END'
[plan]
command = sim --config gtsc --max-cycles {cycles} --suite {workload}
[axes]
workload = GS
cycles = 100 1000000
END
frame() { $WARPSCAPE sweep study.ini --frame --columns cycles,'point.*' 2>&1 | grep -v '^#'; }
$WARPSCAPE sweep study.ini >/dev/null 2>&1; echo "status $?"
frame
sed -i '2a exit = 1' study.ini
$WARPSCAPE sweep study.ini --dry-run | tail -n 1 | cut -d, -f1-5
$WARPSCAPE sweep study.ini --retry >/dev/null 2>&1; echo "status $?"
frame
sed -i 's/^exit.*/exit = 3/' study.ini
$WARPSCAPE sweep study.ini >/dev/null 2>&1; echo "status $?"
sed -i 's/^exit.*/exit = 256/' study.ini
$WARPSCAPE sweep study.ini 2>&1; echo "status $?"
