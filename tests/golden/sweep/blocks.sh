# Blocks with axes of their own, numbers that are worked with, points that need others, files, all rows of a frame.
cat >study.ini <<'END'
[plan]
name = two
[points traces]
command = suite run --scale tiny --db {db} --trace {trace} {workload}
workload = MM MT
rows = none
files = trace
[points sims]
command = sim --config gtsc --set sm.threads={threads*32+32} {traces.trace}/{workload}.wst
threads = 7 15
[points kernels]
command = metrics --db {traces.db} --per kernel --set modern
rows = all
[exclude]
1 = points=traces workload=MT
END
$WARPSCAPE sweep study.ini --jobs 1 2>&1 | sed "s|$PWD|HERE|"
sed -i '/exclude/d; /^1/d' study.ini
$WARPSCAPE sweep study.ini 2>&1 | sed "s|$PWD|HERE|"
$WARPSCAPE sweep study.ini --frame --only 'points=sims|traces' --columns cycles | grep -v '^# co'
$WARPSCAPE sweep study.ini --dry-run | grep -v '^#' | cut -d, -f1-6
$WARPSCAPE sweep study.ini -o new.sweep --dry-run --only points=sims --only workload=MT | grep -v '^#' | cut -d, -f1-2
ls two.sweep two.sweep/points/*/trace | grep -v '^two\|^$' | sort
$WARPSCAPE sweep study.ini --frame --only points=kernels --columns point.rows | grep -v '^# co'
$WARPSCAPE runs --db two.sweep/results.db | cut -d, -f1-3
