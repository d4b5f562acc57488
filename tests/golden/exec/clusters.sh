# Clusters by the kernel's text; one whose launch has to give their size, and one that the grid is no multiple of, do not run, and
# the other kernels of the module do.
cat >clusters.ptx <<'END'
.version 7.8
.target sm_90
.address_size 64
.visible .entry pair(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1
{
    .reg .u64 o, f; .reg .u32 a, b, c;
    ld.param.u64 o, [out];
    mov.u32 a, %cluster_ctarank; mov.u32 b, %cluster_nctarank; mov.u32 c, %ctaid.x;
    mul.lo.u32 b, b, 10; add.u32 a, a, b; mul.wide.u32 f, c, 4; add.u64 o, o, f; st.global.u32 [o], a;
    ret;
}
.visible .entry asks(.param .u64 out) .explicitcluster { ret; }
.visible .entry three(.param .u64 out) .explicitcluster .reqnctapercluster 3 { ret; }
.visible .entry single(.param .u64 out) .explicitcluster .reqnctapercluster 1
{
    .reg .u64 o, f; .reg .u32 a, b;
    ld.param.u64 o, [out]; mov.u32 a, %cluster_nctarank; mov.u32 b, %ctaid.x; mul.wide.u32 f, b, 4; add.u64 o, o, f;
    st.global.u32 [o], a;
    ret;
}
END
for kernel in pair asks three single; do
    printf 'buffer o u32 4\nlaunch %s grid 4 block 1 args o\nprint o[0..3]\n' $kernel >x.launch
    "$WARPSCAPE" exec clusters.ptx x.launch 2>&1
    echo "exit status $?"
done
"$WARPSCAPE" exec --coverage clusters.ptx 2>&1
printf 'buffer o u32 4\nlaunch pair grid 4 block 1 args o\n' >x.launch
"$WARPSCAPE" sim clusters.ptx x.launch 2>&1
"$WARPSCAPE" exec --check race clusters.ptx x.launch 2>&1
