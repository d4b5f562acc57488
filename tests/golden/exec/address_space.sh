# unsanitized: sanitizers take more address space than these limits; `make limits` has other commands
# Under ulimit -v a kernel runs, or a line says which limit is enough, and that one is: what is reserved for devices,
# blocks and threads leaves room for the rest of the process at every limit, not only at those that a power of two
# happens to fit.
cat >k.ptx <<'P'
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b64 %a<4>;
    .reg .b32 %r<4>;
    .shared .align 4 .b8 tile[16384];
    ld.param.u64 %a1, [p];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r3, %r2, 256, %r1;
    mul.wide.u32 %a2, %r3, 4;
    add.u64 %a3, %a1, %a2;
    st.global.u32 [%a3], %r3;
    ret;
}
P
printf 'buffer a u32 65536\nlaunch k grid 256 block 256 args a\nexpect a iota 0 1\n' >k.launch
under() { (ulimit -v "$1" && shift && "$WARPSCAPE" exec -j 4 k.ptx k.launch >log 2>&1); }
enough=$(under 200000 || sed -n 's/.*: ulimit -v \([0-9]*\) is enough$/\1/p' log)
under "$enough" && echo 'what is said to be enough is enough'
for ((more = 0; more < 600000; more += 45000)); do
    under $((enough + more)) || { echo "and $more more is not:"; cat log; }
done
for ((less = 20000; enough - less > 120000; less += 100000)); do # what loads the program takes less
    under $((enough - less)) && echo "nor is less refused: $less"
    tail -n 1 log | grep -q 'warpscape.*\(is enough\|memory\|libraries\)' ||
        { echo "without a word of memory: $less less"; tail -n 1 log; }
done
under 20000000 && echo 'and with a large one'
