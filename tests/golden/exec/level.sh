# Vector levels that there are not are refused before anything runs; plain is everywhere, and says the same as the best.
cp "$GOLDEN/example.ptx" .
printf 'buffer a f32 32 random -1 1\nbuffer c f32 32\nlaunch vadd args a a c 32\nprint c[0..31]\n' >x.launch
WARPSCAPE_LEVEL=sse9 "$WARPSCAPE" exec example.ptx x.launch 2>&1 | sed 's/; this build.*//'
WARPSCAPE_LEVEL=plain "$WARPSCAPE" exec example.ptx x.launch >plain 2>&1
WARPSCAPE_LEVEL= "$WARPSCAPE" exec example.ptx x.launch >best 2>&1
cmp plain best && wc -l <plain
