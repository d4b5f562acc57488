# One line each that names what is wrong, exit status 1.
try() { "$WARPSCAPE" model chameleon --workload MM --supply LpLv --policy energy "$@" 2>&1 | sed -n "s:$TOP/::; 1p"
    echo "exit status ${PIPESTATUS[0]}"; }
try --supply nowhere
try --workload BFS
try --set learning.discount=1.5
try --set battery.capacity=-1Wh
try --set battery.capacity=5W
try --set battery.charm=1
try --set mode.energy.level=9
try --set loop.coarse=90.5s
try --set battery.floor=0.9
try --days 0.5
try --days 36500 --set loop.fine=0.001s
try --config nowhere.ini
printf '[learning]\ndiscount = 1.5\n' >bad.ini
try --config bad.ini
printf '[battery]\ncapacity = much\n' >bad.ini
try --config bad.ini
try --loads nowhere.csv
printf 'workload,power_w\nMM,100\n' >bad.csv
try --loads bad.csv
printf '# column power_w unit=kW\n# column ipc unit=instr/cycle\nworkload,power_w,ipc\nMM,100,50\n' >bad.csv
try --loads bad.csv
printf 'workload,power_w,ipc\nMM,NA,50\n' >bad.csv
try --loads bad.csv
try --thermal nowhere
try --lifetime ./bad.ini
try --timeline nowhere/t.csv
try --thermal hotspot
touch file
try -o file/else
"$WARPSCAPE" suite run --scale tiny BFS 2>log
"$WARPSCAPE" model chameleon --db warpscape.db 2>&1 | sed "s:$TOP/::"
"$WARPSCAPE" model chameleon --db nowhere.db 2>&1
echo 'workload,power_w,ipc
BFS,99,20' >mine.csv
"$WARPSCAPE" model chameleon --db warpscape.db --loads mine.csv --supply LpLv --policy energy | grep -v '^#' |
    cut -d, -f1-3
