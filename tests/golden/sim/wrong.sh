# One line each, exit status 1: machines, traces, and what does not go together.
export WARPSCAPE_DATA=$TOP/data
try() { "$WARPSCAPE" sim "$@" 2>&1 | sed "s|$TOP|TOP|g; s/; it has .* (a path/; it has ... (a path/"
    echo "exit status ${PIPESTATUS[0]}"; }
printf 'buffer a f32 64\nlaunch vadd grid 2 block 32 args a a a 64\n' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
cp "$TOP"/data/configs/gtsc.ini own.ini
try --config elephant x.wst
try --config ./absent.ini x.wst
try --protocol elephant x.wst
try --set l1.elephants=8 x.wst
try --set l1.ways=0 x.wst
try --set 'l1.line=64 bytes' x.wst
try --set sm.scheduler=elephant x.wst
try --set sm.scheduler=ias --set scheduler.stride=257 x.wst
try --set network.kind=elephant x.wst
sed 's/^ways = 4/ways = many/' own.ini >bad.ini
try --config ./bad.ini x.wst
try --protocol none --check x.wst
try absent.wst
echo 'no trace' >text.wst
try text.wst
try --launch 2 x.wst
# What does not fit an SM says what is short.
printf 'buffer a f32 64\nlaunch vadd grid 2 block 256 args a a a 64\n' >big.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" big.launch --trace big.wst >/dev/null
try --set sm.threads=128 big.wst
try --set sm.registers=32 big.wst
# Checkpoints that are not there, are none (resume.sh has those that are damaged).
try --checkpoint absent --resume x.wst
try --checkpoint text.wst --resume x.wst
