# Rules that hold, the lines to blame, and what rules say without lines.
"$WARPSCAPE" suite run --lines --scale tiny --db x.db HIS MT 2>/dev/null
"$WARPSCAPE" summary --db x.db
"$WARPSCAPE" summary --db x.db --most 1 his
"$WARPSCAPE" summary --db x.db --format csv . naive | grep -v '^#'
"$WARPSCAPE" suite run --scale tiny --db y.db MT 2>/dev/null
"$WARPSCAPE" summary --db y.db MT naive
cat >columns.ptx <<'END'
.version 7.2
.target sm_70
.address_size 64
.visible .entry columns(.param .u64 a, .param .u32 n)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .loc 1 5 1
    ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    mul.lo.u32 %r3, %r2, %r1;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd3, %rd1, %rd2;
    .loc 1 7 9
    st.global.u32 [%rd3], %r2;
    ret;
}
.file 1 "/home/a/columns.cu"
END
printf 'buffer a u32 16384\nlaunch columns grid 100 block 96 args a 64\n' >columns.launch
"$WARPSCAPE" exec --lines --db z.db columns.ptx columns.launch
"$WARPSCAPE" summary --db z.db
