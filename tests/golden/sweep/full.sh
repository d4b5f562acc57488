# No room: for a file that is larger than it may be, and on a full file system, where one can be had. What is done is
# kept, and the same command goes on.
cp "$TOP/tests/examples/study.ini" .
sed -i 's/workload = .*/workload = MM GS/' study.ini
(ulimit -f 16; $WARPSCAPE sweep study.ini -j 1 2>&1; echo "status $?") |
    sed "s|$PWD|HERE|; s/study: [0-3] of/study: some of/"
ls -A study.sweep/points | grep -c '^[.]'
$WARPSCAPE sweep study.ini --list | grep -c ',done,'
$WARPSCAPE sweep study.ini 2>&1 | sed "s|$PWD|HERE|"
mkdir small
cat >inside.sh <<'END'
mount -t tmpfs -o size=96k none small || exit 0
$WARPSCAPE sweep study.ini -j 1 -o small/sweep 2>&1; echo "status $?"
ls -A small/sweep/points | grep -c '^[.]'
mount -o remount,size=2M small
$WARPSCAPE sweep study.ini -j 1 -o small/sweep 2>&1; echo "status $?"
END
printf '%s; %s\n' 'warpscape sweep: study: some of 4 points are done: HERE/small/sweep: No space left on device' \
    'what is done is kept: make room, then run the same command again' >wanted
printf 'status 1\n0\nwarpscape sweep: study: all 4 points are done, in HERE/small/sweep\nstatus 0\n' >>wanted
unshare -rm bash inside.sh 2>/dev/null | sed "s|$PWD|HERE|; s/study: [0-3] of/study: some of/" >got
[ ! -s got ] || diff wanted got # where no file system may be mounted nothing is said
