# What is not as expected, the forms of reports, exit status 1.
cp "$GOLDEN/example.ptx" .
cat >x.launch <<'END'
buffer a f32 32 iota
buffer b f32 32 fill 0.5
buffer c f32 32
buffer u u8 3 = 1 0xff 3
buffer w s16 4 = -1 2*2 3
launch vadd block 32 args a b c 30
expect c iota 0.5
expect c[1] = 2
expect c[30..31] = 0 nan
expect a[0] = -0
expect a[0] = -0 within 1e-9
expect printed "some \"text\"\n"
expect warp_instructions 1
expect thread_instructions 2
expect fault "out of bounds"
print u
print w[1..3]
print c[0]
launch vadd block 33 args a b c 33
END
"$WARPSCAPE" exec example.ptx x.launch
