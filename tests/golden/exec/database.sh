# Launches kept in a results file, and shown from there; a failed one is not.
cp "$GOLDEN/example.ptx" .
cat >good.launch <<'END'
buffer a f32 64 random -1 1 seed 3
buffer c f32 64
launch vadd grid 2 block 32 args a a c 64
expect a random -1 1 seed 3
launch vadd grid 1 block 32 args a a c 32
END
"$WARPSCAPE" exec example.ptx good.launch --db results.db
"$WARPSCAPE" metrics --set study --db results.db --per launch | grep -v '^#' | cut -d, -f1-6
echo 'expect c zero' >>good.launch
"$WARPSCAPE" exec example.ptx good.launch --db results.db -m study -j 2
"$WARPSCAPE" metrics --set study --db results.db | grep -v '^#' | cut -d, -f1
