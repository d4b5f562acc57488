# A simulation that was interrupted continues from its checkpoint, and comes to what one undisturbed does; the folder of
# the checkpoint is there as long as the point is not done.
cat >study.ini <<'END'
[points traces]
command = suite run --scale tiny --db {db} --trace {trace} LU
rows = none
files = trace
[points sims]
command = sim --config gtsc --protocol {protocol} {traces.trace}/LU.wst
protocol = bl gtsc-rc
checkpoint = 2000 cycles
END
sweep() { $WARPSCAPE sweep study.ini -o "$@" 2>&1 | sed -E "s|$PWD|HERE|g; s/[0-9a-f]{32}/KEY/g"; }
checkpoints() { find parts/points -name '*.checkpoint' | wc -l; }
sweep whole
sweep parts --only points=traces
key=$($WARPSCAPE sweep study.ini --list --only protocol=bl | sed -nE 's/^sims.*([0-9a-f]{32}).*/\1/p')
checkpoint=parts/points/$key.checkpoint
mkdir "$checkpoint"
echo '--- it is tried'
echo 'no checkpoint' >"$checkpoint/sim"
sweep parts --only protocol=bl
checkpoints
echo '--- of an interrupted simulation'
$WARPSCAPE sim --config gtsc --protocol bl --checkpoint "$checkpoint/sim" --every 2000 --max-cycles 25000 \
    parts/points/*/trace/LU.wst 2>&1 >/dev/null
head -c 20 "$checkpoint/sim" | grep -c 'no checkpoint'
sweep parts --retry
checkpoints
for folder in whole parts; do
    $WARPSCAPE sweep study.ini -o $folder --frame | grep -v '^#' >$folder.csv
done
cmp whole.csv parts.csv && wc -l <parts.csv
