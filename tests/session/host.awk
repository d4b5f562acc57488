# host.awk - a CUDA program without its kernels, as C: awk -f host.awk NAME.ptx NAME.cu > NAME.c
# So that gcc and the PTX are enough to build it: kernels become prototypes of the stubs that ../cuda/register.awk
# writes, under the names that the PTX has for them, and k<<<grid, block>>>(...) what nvcc makes of it. Lines stay where
# they are. Heads of kernels are one line, and they end at a "}" at the start of one; grid and block are a dim3 each;
# the host's part is C as well as C++.
function mangled(name,    i) {
    for (i = 1; i <= entries; i++) if (index(entry[i], "_Z" length(name) name) == 1) return entry[i]
    print FILENAME ": kernel " name " is not in the PTX: make cuda-ptx" > "/dev/stderr"
    exit failed = 1
}
BEGIN { launch = "<<<[A-Za-z]+, [A-Za-z]+>>>" }
FILENAME ~ /\.ptx$/ {
    if (/\.entry/) { sub(/.*\.entry[ \t]+/, ""); sub(/[( ].*/, ""); entry[++entries] = $0 }
    next
}
FNR == 1 { file = FILENAME; sub(/.*\//, "", file); printf "#line 1 \"%s\"\n", file }
/^#include <cuda_runtime.h>/ { $0 = "#include \"collect/cudart/cudart.h\"" }
/^__global__ void / {
    sub(/^__global__ /, "")
    name = $2; sub(/\(.*/, "", name)
    print $0 " __asm__(\"" mangled(name) "\");"
    kernel = 1
    next
}
kernel { print ""; if (/^}/) kernel = 0; next }
match($0, launch) {
    head = substr($0, 1, RSTART - 1); shape = substr($0, RSTART + 3, RLENGTH - 6); tail = substr($0, RSTART + RLENGTH)
    match(head, /[A-Za-z_]+$/)
    $0 = substr(head, 1, RSTART - 1) "__cudaPushCallConfiguration(" shape ", 0, 0) ? (void)0 : " \
        substr(head, RSTART) tail
}
{ print }
END { exit failed }
