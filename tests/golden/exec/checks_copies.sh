# Loads that only copy: what shared memory gives to global memory is told where nobody has written a byte of the 16
# around it; a gap of less, what moves within shared memory, and bits that are put beside others are not. (Of global
# memory: init_copy of run/checks.sh.)
kernel() { # kernel NAME BODY
    printf '.visible .entry %s(.param .u64 a, .param .u64 b)\n{\n.reg .b64 %%a<9>;\n.reg .b32 %%r<9>;\n.reg .pred %%p;\n.shared .align 16 .b8 s[512];\n.local .align 4 .b8 depot[16];\n' "$1"
    printf 'ld.param.u64 %%a1, [a];\nld.param.u64 %%a2, [b];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%a3, %%r1, 4;\nadd.u64 %%a1, %%a1, %%a3;\nadd.u64 %%a2, %%a2, %%a3;\n'
    printf 'shl.b32 %%r2, %%r1, 2;\nmov.u32 %%r3, s;\nadd.u32 %%r2, %%r2, %%r3;\n%s\nret;\n}\n' "$2"
}
half='setp.lt.u32 %p, %r1, 32; @%p st.shared.u32 [%r2], %r1; bar.sync 0;'
{
    printf '.version 7.0\n.target sm_75\n.address_size 64\n'
    kernel given "$half ld.shared.u32 %r4, [%r2]; st.global.u32 [%a2], %r4;"
    kernel moved "$half ld.shared.u32 %r4, [%r2]; mov.b32 %r5, %r4; st.u32 [%a2], %r5;"
    kernel kept "$half ld.shared.u32 %r4, [%r2]; st.shared.u32 [%r2+256], %r4;"
    kernel gap 'setp.lt.u32 %p, %r1, 61; @%p st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r4, [%r2]; st.global.u32 [%a2], %r4;'
    kernel field 'ld.local.u32 %r4, [depot]; and.b32 %r4, %r4, -255; or.b32 %r4, %r4, 6; st.local.u32 [depot], %r4;'
} >copies.ptx
printf 'buffer part u32 64\n%s' \
    "$(for k in given moved kept gap field; do echo "launch $k block 64 args part part"; done)" >copies.launch
"$WARPSCAPE" exec --check init copies.ptx copies.launch 2>&1 | grep -v ^launch
