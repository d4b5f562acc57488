# Ctrl-C ends a live run, also one of workloads; the launch under way has a row.
. "$TOP/tests/runners/computed.sh"
set -m # a process group of its own, where SIGINT is not ignored
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry spin()\n{\nL: bra L;\n}\n' >x.ptx
echo 'launch spin grid 2 block 32' >x.launch
"$WARPSCAPE" sim x.ptx x.launch >x.csv 2>log &
catches $!
computed $! 40 # it simulates
kill -INT $!
{ wait $!; } 2>/dev/null
echo "status $?"
grep -v '^#' x.csv | cut -d, -f1-4
sed 's/[0-9][0-9]*/N/g' log
"$WARPSCAPE" sim --scale study --suite BN >x.csv 2>log &
catches $!
computed "$(child $! BN)" 40
kill -INT $!
{ wait $!; } 2>/dev/null
echo "status $?"
cat log
