# Against random subsets, changes from machine to machine, and what was best on other machines.
L='# labels: 5\nworkload,kernel,launch,ended,mangled'
printf "$L,cycles,ipc,stall_memory\nA,k,1,done,k,100,10,0.5\nB,k,1,done,k,100,30,NA\nB,j,2,done,j,100,10,0.1\nB,total,,done,,200,20,0.2\nC,k,1,done,k,50,40,0.3\nD,k,1,done,k,60,30,0.3\n" >base.csv
printf "$L,cycles,ipc,stall_memory\nD,k,1,done,k,60,30,0.3\nA,k,1,done,k,50,20,0.5\nB,total,,done,,160,20,0.2\nC,k,1,done,k,50,40,0.3\n" >faster.csv
printf '# labels: 4\nsize,method,members,weights,speedup\n2,complete,A B,3 1,2\n2,support,C D,0 4,2\n' >subset.csv
$WARPSCAPE evaluate base.csv --columns ipc,stall_memory --changed faster.csv --random 1000 subset.csv
$WARPSCAPE evaluate base.csv --columns ipc --random 100 --seed 7 subset.csv | grep -v '^#'
printf '# labels: 2\nw,machine,x\nA,one,1\nB,one,3\nC,one,2\nD,one,2\nA,two,20\nB,two,30\nC,two,10\nD,two,20\n' \
    >machines.csv
$WARPSCAPE evaluate machines.csv --by machine --leave-one-out subset.csv | grep -v '^# c'
try() { echo "--- $1"; shift; "$@" 2>&1 >out.csv; echo "exit status $?"; [ ! -s out.csv ] ||
    echo "it printed something"; }
sed 's/C,k,1,done/C,k,1,no room/' base.csv >cut.csv
grep -v ^C faster.csv >short.csv
sed 's/done,k,60/done,k,0/' faster.csv >zero.csv
try "cut short" $WARPSCAPE evaluate cut.csv --columns ipc subset.csv
try "a row missing" $WARPSCAPE evaluate base.csv --columns ipc --changed short.csv subset.csv
try "no cycles" $WARPSCAPE evaluate base.csv --columns ipc --changed zero.csv subset.csv
try "no such column" $WARPSCAPE evaluate base.csv --columns ipc --changed faster.csv --change-of time subset.csv
try "levels that are not there" $WARPSCAPE evaluate base.csv subset.csv
try "left out of what" $WARPSCAPE evaluate machines.csv --leave-one-out subset.csv
try "one machine" $WARPSCAPE evaluate machines.csv --by w --leave-one-out subset.csv
try "two ways to compare" $WARPSCAPE evaluate machines.csv --by machine --changed faster.csv subset.csv
try "random beside" $WARPSCAPE evaluate machines.csv --by machine --leave-one-out --random 9 subset.csv
