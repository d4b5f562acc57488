# A sweep that is interrupted again and again goes on from checkpoints of its simulations, and comes to what one
# undisturbed does. Each time it has longer, so that it ends on a machine of any speed.
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
$WARPSCAPE sweep study.ini -o whole 2>/dev/null && $WARPSCAPE sweep study.ini -o parts --only points=traces 2>/dev/null
time=20
seconds() { printf '%d.%02d' $((time / 100)) $((time % 100)); }
until timeout -s INT "$(seconds)" $WARPSCAPE sweep study.ini -o parts -j 1 2>/dev/null; do time=$((time * 5 / 4)); done
for folder in whole parts; do
    $WARPSCAPE sweep study.ini -o $folder --frame | grep -v '^#' >$folder.csv
    ls -A $folder/points | grep -vcE '^[0-9a-f]{32}$'
done
cmp whole.csv parts.csv && wc -l <parts.csv
