# What is wrong with a plan, or asked of one, is one line that says where.
plan() { printf '%s\n' "$@" >p.ini; $WARPSCAPE sweep p.ini --dry-run 2>&1 | head -n 1; }
plan
plan '[plan]' 'name = x'
plan '[plan]' 'command = sim {workload}'
plan '[plan]' 'command = sim {workload' '[axes]' 'workload = MM'
plan '[plan]' 'command = sim --suite {worklod}' '[axes]' 'workload = MM'
plan '[plan]' 'command = sim --suite MM' '[axes]' 'workload = MM'
plan '[plan]' 'command = sim --suite {workload}' '[axes]' 'workload = MM MT MM'
plan '[plan]' 'command = sim --suite {workload}' '[axes]' 'workload = @nowhere.txt'
plan '[plan]' 'command = sim --suite {workload}' '[axes]' 'workload = MM' '[exclude]' '1 = workload=MT'
plan '[plan]' 'command = sim --suite {workload}' '[axes]' 'workload = MM' '[exclude]' '1 = wrkload=MM'
plan '[plan]' 'command = sim --suite {workload}' '[axes]' 'workload = MM' '[exclude]' '1 = workload=MM'
plan '[plan]' 'command = sim --suite {workload}' '[axes]' 'workload = MM' '[labels workload class]' 'MT = a'
plan '[plan]' 'command = sim --suite {workload}' '[axes]' 'workload = MM MT' '[labels workload class kind]' 'MT = a b' 'MM ='
plan '[plan]' 'command = sim --suite {workload*2}' '[axes]' 'workload = MM'
plan '[plan]' 'command = sim --suite {n*99999999999999999}' '[axes]' 'n = 99999'
plan '[plan]' 'command = sim --suite {a}' '[axis a]' 'x = {a}'
plan '[plan]' 'command = sim --suite MM' 'outputs = power'
plan '[plan]' 'command = sim --suite MM' 'memory = 3 parsecs'
plan '[plan]' 'command = sim --suite MM' 'rows = some'
plan '[plan]' 'command = sim --suite MM' 'comand = x'
plan '[plans]' 'command = sim --suite MM'
plan '[plan]' "command = sim --suite 'MM"
plan '[plan]' 'command = run --db {db} -- ./nothing'
plan '[plan]' 'command = run --db {db} -- no-such-program'
plan '[plan]' 'command = run -- ./nothing'
plan '[plan]' 'command = sweep x.ini'
plan '[points a]' 'command = sim {b.db}' '[points b]' 'command = suite run --db {db} MM'
plan '[points a]' 'command = suite run --db {db} {w}' 'w = MM' '[points b]' 'command = launches --db {a.db}' 'w = MT'
plan '[points a]' 'command = suite run --db {db} {w}' 'w = MM' '[points b]' 'command = launches --db {a.trace}'
plan '[points a]' 'command = sim --suite MM' 'rows = none' '[points a]' 'rows = all'
try() { $WARPSCAPE sweep "$@" 2>&1 | head -n 1 | sed "s|$TOP|TOP|; s|$PWD|HERE|"; }
try
try nowhere.ini
try "$TOP"
{ echo '[plan]'; echo 'command = sim --suite MM --seed {a} --dram {b}'; echo 'time = 3 h'; echo '[axes]'; echo "a = $(seq -s ' ' 101)"; echo "b = $(seq -s ' ' 100)"; } >many.ini
try many.ini
ls -d many.sweep 2>&1
$WARPSCAPE sweep many.ini --list | grep -vc '^#'
$WARPSCAPE sweep many.ini --frame 2>&1 | head -n 1
try many.ini --only a=1 -o /dev/null/x
{ echo '[plan]'; echo 'command = sim {a}{b}{c}{d}'; echo '[axes]'; for a in a b c d; do echo "$a = $(seq -s ' ' 5000)"; done; } >more.ini
try more.ini --yes
cp "$TOP/tests/examples/study.ini" .
try study.ini --only protocol=mesi
try study.ini --only protocol
try study.ini --only protocol=gtsc --only protocol=strong
try study.ini --on moon
try study.ini --list --retry
echo 0123 >keys
mkdir study.sweep
try study.ini --task keys
rmdir study.sweep
echo >study.sweep
try study.ini
plan '[plan]' 'command = sim --suite MM' 'checkpoint = 5 cycles' 'cores = 3 h'
plan '[plan]' 'command = suite run --db {db} MM' 'checkpoint = 5 cycles'
plan '[plan]' 'command = sim --suite {w}' '[axes]' 'w = A' '[labels w]'
plan '[labels w class]'
plan '[points a]' '[points b]' 'command = sim MM'
plan '[axis]' 'x = 1'
plan '[plan]' 'command = sim --power {p} MM' 'outputs = p' 'rows.p = all'
plan '[plan]' 'command = sim --power {p} {q} MM' 'rows = none' 'outputs = p q' 'rows.p = all'
plan '[plan]' 'command = sim --power {p} MM' 'outputs = p' 'rows.q = sum'
echo '--- names that stand for two things'
plan '[plan]' 'command = sim {w}' '[axes]' 'w = A' '[labels w class class]' 'A = a b'
plan '[plan]' 'command = sim {v} {w}' '[axes]' 'v = A' 'w = A' '[labels v class]' 'A = a' '[labels w class]' 'A = b'
plan '[plan]' 'command = sim {v} {w}' '[axes]' 'v = A' 'w = A' '[labels v w]' 'A = a'
plan '[plan]' 'command = sim {w}' '[axes]' 'w = A' '[labels w key]' 'A = a'
plan '[plan]' 'command = sim {state}' '[axes]' 'state = A'
plan '[plan]' 'command = sim --power {p} MM' 'outputs = p p'
plan '[plan]' 'command = sim --power {p} MM' 'outputs = p' 'files = p'
plan '[plan]' 'command = sim --power {log} MM' 'outputs = log'
plan '[points a]' 'command = sim --power {w} MM' 'outputs = w' 'w = A'
echo '--- commands by their words'
plan '[plan]' 'command = suite  run MM'
plan '[plan]' 'command = "run" -- ./nothing'
plan '[plan]' 'command = {c} MM' '[axis c]' 'x = sim' 'y = "sw"eep'
plan '[plan]' 'command = {c} MM' 'checkpoint = 5 cycles' '[axis c]' 'x = suite list'
plan '[plan]' 'command = sim {{power} MM' 'outputs = power'
