# Which kernels have warps that touch the same bytes in an order that nothing fixes? Those named `race_...`, and no
# others.
kernel() {
    printf '.visible .entry %s(.param .u64 pa)\n{\n.reg .b64 %%a<9>;\n.reg .b32 %%r<9>;\n.shared .align 4 .b32 s[64];\n' "$1"
    printf 'ld.param.u64 %%a1, [pa];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%a2, %%r1, 4;\nadd.u64 %%a3, %%a1, %%a2;\n'
    printf 'shl.b32 %%r2, %%r1, 2;\nmov.u32 %%r3, s;\nadd.u32 %%r2, %%r2, %%r3;\nxor.b32 %%r4, %%r1, 32;\nshl.b32 %%r4, %%r4, 2;\nadd.u32 %%r4, %%r4, %%r3;\n'
    printf '%s\nret;\n}\n' "$2"
}
add='ld.global.u32 %r5, [%a1]; add.u32 %r5, %r5, 1;'
{
    printf '.version 7.0\n.target sm_75\n.address_size 64\n'
    kernel race_add "$add st.global.u32 [%a1], %r5;"
    kernel race_stores 'st.global.u32 [%a1], %r1;'
    kernel race_kept 'and.b32 %r5, %r1, 32; st.global.u32 [%a1], %r5;'
    kernel race_shared 'st.shared.u32 [%r2], %r1; ld.shared.u32 %r5, [%r4]; st.global.u32 [%a3], %r5;'
    kernel race_vector 'st.shared.u32 [%r2], 1; and.b32 %r4, %r4, -16; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];'
    kernel equal_stores 'st.global.u32 [%a1], 7;'
    kernel own_bytes 'cvt.u64.u32 %a2, %r1; add.u64 %a3, %a1, %a2; st.global.u8 [%a3], %r1; ld.global.u8 %r5, [%a3];'
    kernel barrier 'st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r5, [%r4]; bar.sync 0; st.shared.u32 [%r2], %r5;'
    kernel atomics 'red.global.add.u32 [%a1], 1; atom.global.add.u32 %r5, [%a1], 1;'
    kernel fences 'st.global.u32 [%a3], 1; membar.gl; atom.global.add.u32 %r5, [%a1+256], 1; ld.global.u32 %r6, [%a1];'
    kernel volatile 'st.volatile.global.u32 [%a1], %r1; ld.volatile.global.u32 %r5, [%a1];'
} >races.ptx
names=$(sed -n 's/.*entry \([a-z_]*\)(.*/\1/p' races.ptx)
{
    echo 'buffer a u32 65'
    for name in $names; do echo "launch $name block 64 args a"; done
} >races.launch
for turns in barriers stores; do
    for workers in 1 3; do
        "$WARPSCAPE" exec --races --turns $turns -j $workers races.ptx races.launch 2>&1 |
            sed -n 's/^warpscape: race: //p' >$turns$workers
    done
    cmp ${turns}1 ${turns}3
    sed 's/.*kernel \([a-z_]*\):.*/\1/' ${turns}1 | sort -u | xargs
done
cat stores1
# Once a pair of lines, and what came later at the end; nobody is told without asking.
printf '%s\n' 'buffer a u32 65' 'launch race_stores block 64 args a' 'launch race_stores block 64 args a' \
    'launch race_add grid 3 block 64 args a' >twice.launch
"$WARPSCAPE" exec --races -j 1 races.ptx twice.launch 2>&1 | grep -v ^exec
"$WARPSCAPE" exec races.ptx twice.launch 2>&1 | grep -c race:
"$WARPSCAPE" exec --races --interleave 1 races.ptx twice.launch 2>&1 | head -n 1
