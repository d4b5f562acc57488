# A folder of two launches: listed, as a trace file, as metrics, which are the same after a replay; and simulated.
mkdir traces
cat > traces/kernelslist.g <<'END'
MemcpyHtoD,0x00007f0000000000,8192
kernel-1.traceg
kernel-2.traceg
END
kernel() {
    cat <<END
-kernel name = $1
-kernel id = 1
-grid dim = (2,1,1)
-block dim = (64,1,1)
-shmem = 256
-nregs = 8
-binary version = 75
-cuda stream id = 0
-shmem base_addr = 0x00007f6d9a000000
-local mem base_addr = 0x00007f6d98000000
-nvbit version = 1.7.1
-accelsim tracer version = 5
-enable lineinfo = 0

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate
END
    for block in 0 1; do
        printf '\n#BEGIN_TB\n\nthread block = %d,0,0\n' $block
        for warp in 0 1; do
            base=$(printf '0x7f00000%05x' $((block * 256 + warp * 128)))
            cat <<END

warp = $warp
insts = 8
0000 ffffffff 1 R1 S2R 0 0 0 
0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 $base 4 0 
0020 ffffffff 0 STS 2 R1 R2 4 1 0x0 4 0 
0030 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 
0040 0000ffff 0 BRA 0 0 96 
0050 ffff0000 1 R2 FFMA 3 R2 R2 R2 0 0 
0060 ffffffff 0 STG.E.SYS 2 R4 R2 4 1 $base 4 0 
0070 ffffffff 0 EXIT 0 0 0 
END
        done
        printf '\n#END_TB\n'
    done
}
kernel _Z5firstPf > traces/kernel-1.traceg
kernel _Z6secondPf > traces/kernel-2.traceg
"$WARPSCAPE" import traces
"$WARPSCAPE" import traces --kernels second -o second.wst
"$WARPSCAPE" replay second.wst
"$WARPSCAPE" import traces --kernels third
"$WARPSCAPE" import traces --launches 2-
"$WARPSCAPE" import traces/kernelslist.g -o both.wst --db import.db
"$WARPSCAPE" replay both.wst --db replay.db
"$WARPSCAPE" metrics --db import.db --set all > import.csv
"$WARPSCAPE" metrics --db replay.db --set all > replay.csv
diff <(grep -v '^# \(run\|command\)' import.csv) <(grep -v '^# \(run\|command\)' replay.csv) && echo same
grep '^# run' import.csv replay.csv | sed 's/version=[^ ]*//'
grep -v '^#' import.csv | cut -d, -f1-10
"$WARPSCAPE" sim both.wst -c rtx2060 | grep -v '^# \(column\|tool\|warp\|comm\)' | cut -d, -f1-5,7,8
