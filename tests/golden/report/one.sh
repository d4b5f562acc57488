# One kernel makes a page: its metrics, what is wrong with it, and its hot lines; one program of several kernels a map
# of these.
$WARPSCAPE suite run --scale tiny --lines BFS 2>/dev/null && $WARPSCAPE report -o bfs 2>note || exit
cat note
ls bfs/frames
grep -v '^#' bfs/frames/work.csv
grep -v '^#' bfs/frames/findings.csv | head -n 3
grep -v '^#' bfs/frames/lines.csv | cut -d, -f1-7 | head -n 4
grep -o '<h2>[^<]*' bfs/index.html
$WARPSCAPE suite run --scale tiny --db hy.db HY 2>/dev/null && $WARPSCAPE report -o hy --db hy.db &&
    grep -v '^#' hy/frames/clusters.csv | cut -d, -f1-2 | head -n 3
$WARPSCAPE report -o per --db hy.db --per workload
# Kernels are called as people write them, also where one stands for others.
cat >names.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry _Z4gemmIfLi4EEvPKfPfi(.param .u64 out) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], 7; ret; }
.visible .entry _Z4gemmIdLi8EEvPKdPdi(.param .u64 out) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [out]; ret; }
.visible .entry k(.param .u64 out) { ret; }
END
printf '%s\n' 'buffer x u32 8' 'launch _Z4gemmIfLi4EEvPKfPfi grid 3 block 64 args x' \
    'launch _Z4gemmIdLi8EEvPKdPdi block 32 args x' 'launch k args x' >names.launch
$WARPSCAPE exec --db names.db names.ptx names.launch >/dev/null && $WARPSCAPE report --db names.db -o names &&
    grep -v '^#' names/frames/clusters.csv | cut -d'"' -f 1-2 | sed 's/\(\.[0-9]\{9\}\)[0-9]*/\1/' # OpenBLAS rounds by processor
grep -c _Z4gemm names/frames/subsets.csv || :
