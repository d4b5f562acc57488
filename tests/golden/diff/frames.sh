# Rows are matched by name, in whatever order; what is better, worse, new, missing or the same; rules that are met, and
# that cannot be told.
cat >a.csv <<'END'
# run: app scale= seed=1 version=1 command=./app 10
workload,kernel,cycles,ipc,l2_misses,odd
app,first,100,2,0,1
app,second,50,1,5,1
app,same,7,7,7,7
app,gone,1,1,1,1
END
cat >b.csv <<'END'
# run: app2 scale= seed=1 version=1 command=./app 20
workload,kernel,ipc,cycles,l2_misses,odd
app2,same,7,7,7,7
app2,second,1,50.2,NA,2
app2,first,2.5,80,3,1
app2,fresh,1,1,1,1
END
"$WARPSCAPE" diff a.csv b.csv
"$WARPSCAPE" diff --all --threshold 0 --most 1 ./b.csv a.csv
"$WARPSCAPE" diff --format csv a.csv b.csv | grep -v '^# \(tool\|command\)'
"$WARPSCAPE" diff a.csv b.csv --fail-if 'cycles>10%' >/dev/null && echo fast enough
"$WARPSCAPE" diff a.csv b.csv --fail-if ' cycles > 0.1' --fail-if 'ipc<-5%' >/dev/null || echo slower
"$WARPSCAPE" diff a.csv b.csv --fail-if 'l2_misses>-50%' >/dev/null || echo NA
"$WARPSCAPE" diff a.csv a.csv --fail-if 'cycles>0' | tail -1
