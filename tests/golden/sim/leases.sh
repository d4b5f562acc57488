# Lengths of physical leases: what machines have, what goes with nothing, columns.
export WARPSCAPE_DATA=$TOP/data
"$WARPSCAPE" sim --options --config gtsc --protocol tc-weak | grep -E '^coherence.(lease_cycles|predict)' | cut -d, -f1-3
"$WARPSCAPE" sim --options --config baseline | grep -E '^coherence.(lease_cycles|predict),' | cut -d, -f1-3
printf 'buffer a f32 2048\nlaunch vadd grid 8 block 256 args a a a 2048\n' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
try() { "$WARPSCAPE" sim --config gtsc "$@" x.wst 2>&1 | sed "s|$TOP|TOP|g"
    echo "exit status ${PIPESTATUS[0]}"; }
try --set coherence.predict=slice
try --protocol none --set coherence.predict=slice
try --protocol mesi --set coherence.predict_store=1
try --protocol mesi --set coherence.predict_loads=either
try --protocol tc-weak --set coherence.predict=fixed --set coherence.predict_evict=8
try --protocol tc-weak --set coherence.predict=bank
try --protocol tc-weak --set coherence.predict_loads=all
try --protocol tc-strong --set coherence.predict_most=799
try --protocol tc-strong --set coherence.lease_cycles=4294967296
try --protocol tc-strong --set coherence.predict_most=4294967295
# A lease that its timestamps cannot hold, and the longest that they can; private stores without leases that fences wait for.
try --set coherence.lease=32767
try --protocol gtsc-sc --set coherence.timestamp=4
try --set coherence.lease=32766 | tail -n 1
try --protocol gtsc-sc --set coherence.private_stores=1
try --protocol tc-strong --set coherence.private_stores=1
try --protocol tc-weak --set coherence.private_stores=2
names() { grep -v '^#' | head -n 1 | tr , '\n' | grep -E '^lease_' | tr '\n' ' '; echo; }
"$WARPSCAPE" sim --config gtsc --protocol tc-weak --check x.wst 2>/dev/null >weak.csv
names <weak.csv
"$WARPSCAPE" sim --config gtsc --protocol tc-weak --set coherence.predict=fixed --check x.wst 2>/dev/null | names
"$WARPSCAPE" sim --config gtsc --check x.wst 2>/dev/null | names
# No store of the kernel meets a lease: loads lengthen them.
grep -v '^#' weak.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print ($at["lease_least"] >= 800) " " ($at["lease_most"] - 800 <= $at["lease_loads"]) " " $at["lease_stores"] }'
# One thread or three, the same.
columns() { grep -v '^#' "$1"; }
"$WARPSCAPE" suite run --scale tiny --trace . BFS 2>log
"$WARPSCAPE" sim --config gtsc --protocol tc-strong BFS.wst 2>/dev/null >one.csv
"$WARPSCAPE" sim --config gtsc --protocol tc-strong -j 3 BFS.wst 2>/dev/null >three.csv
cmp <(columns one.csv) <(columns three.csv) && echo 'three threads: the same'
