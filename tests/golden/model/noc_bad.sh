# One line each, and the exit status.
try() { "$WARPSCAPE" model noc "$@" 2>&1 | sed -n 1p | sed 's| /.*/data/| data/|'
    echo "exit status ${PIPESTATUS[0]}"; }
try --network torus
try --channel 20
try --channel 0
try --network mwsr --set network.wavelengths=48
try --network mwsr --set network.arbitration=0
try -n swmr --set network.rounds=1
try -n mwsr --set network.loop
try --load 0
try --load -3
try --load much
try --pattern transpose
try --traffic x.csv --db y.db
try --traffic x.csv --load 3
try --db y.db --pattern uniform
try --config nowhere
try --config two-chips
try --traffic nowhere.csv
try --db nowhere.db
try mesh
printf '%s\n' '# warpscape frame 1' '# labels: 5' 'workload,launch,node,kind,direction,frame,begin,cycles,bytes' \
    'BFS,1,sm3,all,request,0,0,100,80' >traffic.csv
try -c photonic-electrical --traffic traffic.csv
sed 's/cycles,bytes/cycles,octets/' traffic.csv >columns.csv
try --traffic columns.csv
sed 's/,direction,/,way,/' traffic.csv >labels.csv
try --traffic labels.csv
sed 's/sm3/sm64/' traffic.csv >node.csv
try --traffic node.csv
sed 's/sm3/chip1/' traffic.csv >chip.csv
try --traffic chip.csv
sed 's/sm3/cluster3/' traffic.csv >cluster.csv
try -c gtsc --traffic cluster.csv
sed 's/,100,80/,0,80/' traffic.csv >cycles.csv
try --traffic cycles.csv
sed 's/,100,80/,100,-80/' traffic.csv >bytes.csv
try --traffic bytes.csv
head -n 3 traffic.csv >empty.csv
try --traffic empty.csv
