# Kernels of fat binaries: two files' worth of them behind each other, each for two architectures, and one of machine
# code.
little() { # little BYTES NUMBER...: numbers as so many bytes, lowest first
    local bytes=$1 n i
    shift
    for n; do
        for ((i = 0; i < bytes; i++)); do
            # shellcheck disable=SC2059
            printf "\\x$(printf %02x $((n >> 8 * i & 255)))"
        done
    done
}
image() { # image KIND ARCHITECTURE FILE
    local size
    size=$(wc -c <"$3")
    little 2 "$1" 257
    little 4 64
    little 8 "$size"
    little 4 0 0
    little 2 4 6
    little 4 "$2"
    little 8 0 17 0 0
    cat "$3"
}
container() { # container FILE
    little 4 3126193488
    little 2 1 16
    little 8 "$(wc -c <"$1")"
    cat "$1"
}
ptx() { # ptx KERNEL VALUE: padded to a multiple of 8
    printf '%-400s' ".version 6.4
.target sm_70
.address_size 64
.visible .entry $1(.param .u64 out) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1], $2;
  ret;
}" >"$1.$2"
}
ptx first 75
ptx first 80
ptx second 1
printf '%-8s' code >code
{ image 1 75 first.75; image 1 80 first.80; image 2 80 code; } >one
image 1 70 second.1 >two
image 2 90 code >three
{ container one; container two; container three; } >app
container three >cubin
"$WARPSCAPE" exec --list app first.75
"$WARPSCAPE" exec --list cubin
"$WARPSCAPE" exec --list absent cubin
"$WARPSCAPE" exec --coverage app
"$WARPSCAPE" exec --coverage --architecture 75 app cubin
"$WARPSCAPE" exec --coverage --architecture 72 app
for kernel in first second third; do
    for architecture in 80 79 75; do
        printf 'buffer x u32 1\nlaunch %s args x\nprint x\n' $kernel >x.launch
        "$WARPSCAPE" exec --architecture $architecture app x.launch
    done
done
printf 'buffer x u32 1\nlaunch first args x\nprint x\n' >x.launch
"$WARPSCAPE" exec app x.launch
"$WARPSCAPE" exec cubin x.launch
echo '!<arch>' >archive
"$WARPSCAPE" exec archive x.launch
head -c 900 app >cut
"$WARPSCAPE" exec cut x.launch
