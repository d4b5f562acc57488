# Graphs from files: what is read is what the file has, seen in how many launches a search takes, and each hole is told
# with file, line and column. All results are checked on the CPU by the workloads themselves.
w=$(dirname "$WARPSCAPE")/workloads
cat >chain.gr <<'END'
c five edges in a row, and a long way round
p sp 6 6
a 1 2 1
a 2 3 1
a 3 4 1
a 4 5 1
a 5 6 1
a 1 6 9
END
sed 's/^a 1 6 9/a 1 6 5/' chain.gr >short.gr # as long as the row: the search ends before
sed -n '/^a/!p; s/^a \(.*\) \(.*\) \(.*\)/a \2 \1 \3/p' chain.gr >back.gr
printf '%%%%MatrixMarket matrix coordinate integer general\n%% rows, columns, entries\n6 6 6\n' >chain.mtx
sed -n 's/^a //p' chain.gr >>chain.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n5 5 6\n2 1 .5\n3 1 -1e3\n4 2 7\n5 5 1\n5 4 2\n2 1 8\n' >tree.mtx
printf 'p edge 4 3\ne 1 2\ne 2 3\ne 3 4\n' >line.col
printf 'p sp 3 0\n' >nothing.gr
# Two launches a round, one round more than the row has edges until nothing sinks: 12, 10, 2, 12.
for graph in chain.gr short.gr back.gr chain.mtx; do
    "$WARPSCAPE" run -q -n "$graph" -d s.db -- "$w/SSP" --scale tiny --size graph=$graph
done
"$WARPSCAPE" launches -d s.db 2>/dev/null | grep -v '^#' | cut -d, -f1 | sort | uniq -c | sed 's/^ *//'
for graph in chain.gr tree.mtx line.col nothing.gr; do
    for program in BCE BFS BFSI BFW CCA CCL FW GCL GPROG MIS PRK SSP; do
        "$w/$program" --scale tiny --size graph=$graph
    done
done
"$WARPSCAPE" suite run --scale tiny --size graph=$PWD/line.col -d r.db MIS 2>&1 | sed "s, s$,,; s,$PWD/,,; s/, [0-9.]*$//"
# bad TEXT: a file that has it
bad() {
    printf "$1" >bad.gr
    "$w/SSP" --scale tiny --size graph=bad.gr 2>&1 | head -n 1
}
bad ''
bad 'c no more\n'
bad 'p tw 3 1\na 1 2 1\n'
bad 'p sp 3\n'
bad 'p sp 0 0\n'
bad 'p sp 5000000 1\n'
bad 'p sp 3 2\na 1 2 1\n'
bad 'p sp 3 1\na 1 2 1\na 2 3 1\n'
bad 'p sp 3 1\na 1 4 1\n'
bad 'p sp 3 1\na 0 1 1\n'
bad 'p sp 3 1\na 1 2 -5\n'
bad 'p sp 3 1\na 1 2 0\n'
bad 'p sp 3 1\na 1 2 99999999\n'
bad 'p sp 3 1\na 1 2\n'
bad 'p sp 3 1\na 1 2 1 1\n'
bad 'p sp 3 1\na 1 2x 1\n'
bad 'p sp 3 1\ne 1 2\n'
bad '%%%%MatrixMarket matrix array real general\n'
bad '%%%%MatrixMarket matrix coordinate complex general\n'
bad '%%%%MatrixMarket matrix coordinate real hermitian\n'
bad '%%%%MatrixMarket matrix coordinate pattern general\n'
bad '%%%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n'
bad '%%%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 -4\n'
bad '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 x\n'
for size in graph=none.gr graph=chain.gr,nodes=5 graph=chain.gr,share=50 graph=5 graph=; do
    "$w/SSP" --scale tiny --size $size 2>&1 | head -n 1
done
"$w/CCL" --scale tiny --size graph=chain.gr,side=5 2>&1 | head -n 1
"$w/MM" --scale tiny --size rows=chain.gr 2>&1 | head -n 1
true
