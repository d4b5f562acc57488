# Which kernels can run, and what stops the others.
cp "$GOLDEN/example.ptx" .
cat >mixed.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.entry fine() { ret; }
.entry textured(.param .u64 t) { .reg .f32 %f<5>; .reg .b64 %rd; ld.param.u64 %rd, [t];
  tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd, {%f4}]; ret; }
.entry unknown() { frob.b32 this, that; ret; }
.func inner() { .reg .b32 %r; add.foo.s32 %r, %r, 1; ret; }
.entry outer() { call inner; ret; }
.entry stranger() { call nowhere; ret; }
.entry declared_only();
END
"$WARPSCAPE" exec --coverage example.ptx mixed.ptx
echo "exit status $?"
"$WARPSCAPE" exec --coverage example.ptx
echo "exit status $?"
echo '.version 7.0 oops' >broken.ptx
"$WARPSCAPE" exec --coverage broken.ptx example.ptx absent.ptx
