# Formats that no program means, widths that would take memory, and more output than a GPU's FIFO holds.
cat >say.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 values);
.visible .entry say(.param .u64 format, .param .u64 values, .param .u32 times, .param .u64 result)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [format];
    ld.param.u64 %rd2, [values];
    ld.param.u32 %r1, [times];
    ld.param.u64 %rd3, [result];
AGAIN:
    {
    .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd1;
    st.param.b64 [b], %rd2;
    call.uni (c), vprintf, (a, b);
    ld.param.b32 %r2, [c];
    }
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p, %r1, 0;
    @%p bra AGAIN;
    st.global.u32 [%rd3], %r2;
    ret;
}
END
# run FORMAT TIMES VALUES...: 32-bit values, for one lane.
run() {
    local format=$1 times=$2
    shift 2
    printf '%b\0' "$format" >format
    cat >x.launch <<END
buffer format u8 $(wc -c <format) file "format"
buffer result s32 1
buffer values s32 ${#} = $*
launch say limit 10000000 args format values $times result
print result
END
    "$WARPSCAPE" exec say.ptx x.launch
}
# The same; long runs of a character become its number.
say() {
    run "$@" | awk '!/^launch|^exec/ {
        for (at = 1; at <= length($0); at += n) {
            one = substr($0, at, 1)
            for (n = 1; substr($0, at + n, 1) == one; n++);
            if (n > 9)
                printf "(%s times %d)", one, n
            else
                printf "%s", substr($0, at, n)
        }
        print ""
    }' | sort | uniq -c
}
echo '--- widths are at most 4095'
say '[%5000000d]\n' 1 7
say '[%-99999999999999999999d]\n' 1 7
say '[%.5000000x]\n' 1 7
say '[%9000.9000f]\n' 1 0 0x3ff80000
say '[%*d|%-*d|%*d|%.*f]\n' 1 5 1 5 2 -2147483648 3 -1 0 0 0x3ff80000
say '[%9000c|%-9000s]\n' 1 65 0 0 0
echo '--- what is no conversion stays'
say '%n %q %5.-3d %-+ #0q %L %' 1 1 2 3
say '[%hd %hhu %ld %-+ #08x %+d]\n' 1 70000 300 -1 -1 255 5
say '[%s %s %.3s]\n' 1 64 0 0 0 -1 -1
echo '--- 32 arguments'
say "$(printf '%%d %.0s' {1..34})\n" 1 {1..34}
echo '--- fewer values than conversions'
say '%d %d %d\n' 1 5
echo '--- 1 MiB a launch: 16 bytes and the arguments for each call, and a byte for 64 characters'
say 'x\n' 100000 1
say '%d %d %d\n' 100000 1 2 3
run "$(printf '%*s' 100000 '')\n" 1000 1 | grep -c '^  *$'
run "$(printf '%%4000d%.0s' {1..20000})\n" 2 1 | wc -l
