# Small kernels on a machine, beside what is published of its card; what does not go with them; and what is no group.
# heavy: simulates groups of microbenchmarks on four machines; test_microbench goes through the same code
export WARPSCAPE_DATA=$TOP/data
try() { "$WARPSCAPE" sim "$@" 2>&1 | grep -v '^# tool' | sed "s|$TOP|TOP|g"; echo "exit status ${PIPESTATUS[0]}"; }
try --microbench=order,launch --config rtx2060-mini
try --microbench=launch --config rtx2060-mini --set chip.launch=0
try --microbench=conflicts --config qv100 | head -n 6
try --microbench=instruction --config qv100 | grep fma.rn.f32
try --microbench=elephants
try --microbench --suite | head -n 1
try --microbench x.wst | head -n 1
try --microbench --trace-of x.wst | head -n 1
# Published numbers that nothing measures.
mkdir -p own && cp -r "$TOP"/data/. own/ && chmod -R u+w own
echo 'fma.rn.f32,latency,seconds,"me",4' >>own/published/rtx2060.csv
WARPSCAPE_DATA=own try --microbench=order --config rtx2060 | sed "s|$PWD/||; s/:[0-9]*:1:/:N:1:/"
