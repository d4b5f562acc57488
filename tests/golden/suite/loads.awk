# loads.awk - the global loads of traces in the format of Accel-Sim, one row a kernel: for each load, in the order of
# its addresses in the program, LINES@APART, the lines of 128 bytes that it touches at most, and the bytes from lane to
# lane then. usage: awk -v workload=NAME -f traceg.awk -f loads.awk kernel-*.traceg
/^-kernel name/ { kernel = $NF; if (!(kernel in loads)) { loads[kernel] = 0; kernels[++n_kernels] = kernel } }
read_load() {
    split("", lines)
    count = 0
    for (lane = 1; lane <= n_lanes; lane++)
        for (line = int(address[lane] / 128); line <= int((address[lane] + width - 1) / 128); line++)
            count += !lines[sprintf("%.0f", line)]++
    key = kernel SUBSEP $1
    if (!(key in most)) { order[kernel, ++loads[kernel]] = $1; most[key] = 0 }
    if (count > most[key]) { most[key] = count; distance[key] = apart }
}
END {
    for (k = 1; k <= n_kernels; k++) {
        kernel = kernels[k]
        for (i = 2; i <= loads[kernel]; i++)
            for (j = i; j > 1 && order[kernel, j] < order[kernel, j - 1]; j--) {
                swap = order[kernel, j]; order[kernel, j] = order[kernel, j - 1]; order[kernel, j - 1] = swap
            }
        printf "%s %s", workload, kernel
        for (i = 1; i <= loads[kernel]; i++)
            printf " %d@%s", most[kernel, order[kernel, i]], distance[kernel, order[kernel, i]]
        print ""
    }
}
