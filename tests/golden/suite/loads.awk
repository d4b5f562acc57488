# loads.awk - the global loads of traces in the format of Accel-Sim, one row a kernel: for each load, in the order of its addresses in the
# program, LINES@APART, the lines of 128 bytes that it touches at most, and the bytes from lane to lane then; `any` when that is no one number.
# usage: awk -v workload=NAME -f loads.awk kernel-*.traceg
function number(hex, i, value) {
    sub(/^0x/, "", hex)
    for (i = 1; i <= length(hex); i++)
        value = value * 16 + index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
    return value
}
function lanes_of(mask, i, n, digit) {
    for (i = 1; i <= length(mask); i++)
        for (digit = number(substr(mask, i, 1)); digit > 0; digit = int(digit / 2))
            n += digit % 2
    return n
}
/^-kernel name/ { kernel = $NF; if (!(kernel in known)) { known[kernel] = 1; kernels[++n_kernels] = kernel } }
/^[0-9a-f]+ [0-9a-f]+ [0-9]+ / {
    at = 4 + $3
    if ($at !~ /^LDG/)
        next
    at += 2 + $(at + 1) # the width
    lanes = lanes_of($2)
    if (!lanes)
        next
    mode = $(at + 1)
    address = number($(at + 2))
    split("", lines)
    count = 0
    apart = mode == 1 ? $(at + 3) + 0 : "any"
    for (lane = 0; lane < lanes; lane++) {
        if (lane)
            address = mode == 1 ? address + apart : mode == 2 ? address + $(at + 2 + lane) : number($(at + 2 + lane))
        for (line = int(address / 128); line <= int((address + $at - 1) / 128); line++)
            count += !lines[sprintf("%.0f", line)]++
    }
    key = kernel SUBSEP $1
    if (!(key in most)) { order[kernel, ++loads[kernel]] = $1; most[key] = 0 }
    if (count > most[key]) { most[key] = count; distance[key] = apart }
}
END {
    for (k = 1; k <= n_kernels; k++) {
        kernel = kernels[k]
        n = loads[kernel] # sorted by address
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && order[kernel, j] < order[kernel, j - 1]; j--) {
                swap = order[kernel, j]; order[kernel, j] = order[kernel, j - 1]; order[kernel, j - 1] = swap
            }
        printf "%s %s", workload, kernel
        for (i = 1; i <= n; i++)
            printf " %d@%s", most[kernel, order[kernel, i]], distance[kernel, order[kernel, i]]
        print ""
    }
}
