# Source lines of a trace of a machine: numbers, of a file that the command line names. They stay in a trace file and
# come back from the syntax of Accel-Sim; without lines it is said how to get them.
mkdir traces plain src
printf '%s\n' 'one' 'two' '    float v = a[i];' '    if (v > 0)' '        v *= v;' '    a[i] = v;' >src/k.cu
trace() { # ENABLED, then what stands before each instruction's offset
    cat <<END
-kernel name = _Z1kPf
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 8
-binary version = 80
-cuda stream id = 0
-shmem base_addr = 0x00007f6d9a000000
-local mem base_addr = 0x00007f6d98000000
-nvbit version = 1.7.4
-accelsim tracer version = 5
-enable lineinfo = $1

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 6
${2}0000 ffffffff 1 R1 S2R 0 0 0 
${3}0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7fc841500000 4 0 
${4}0020 0000ffff 0 BRA 0 0 96 
${5}0030 ffff0000 1 R2 FMUL 2 R2 R2 0 0 
${6}0040 ffffffff 0 STG.E.SYS 2 R4 R2 4 1 0x7fc841500000 4 0 
${2}0050 ffffffff 0 EXIT 0 0 0 

#END_TB
END
}
trace 1 '0 ' '3 ' '4 ' '5 ' '6 ' >traces/kernel-1.traceg
trace 0 '' '' '' '' '' >plain/kernel-1.traceg
"$WARPSCAPE" import traces --source src/k.cu --lines --db named.db -o k.wst 2>&1
"$WARPSCAPE" annotate --db named.db --ptx
"$WARPSCAPE" replay k.wst --lines --db replayed.db
diff <("$WARPSCAPE" annotate --db named.db) <("$WARPSCAPE" annotate --db replayed.db) &&
    echo 'the same from the trace file'
echo '--- and back'
"$WARPSCAPE" replay k.wst --accelsim back
grep -h 'lineinfo\|ffff' back/kernel-1.traceg
"$WARPSCAPE" import back --source src/k.cu --lines --db back.db --workload traces 2>&1
diff <("$WARPSCAPE" annotate --db named.db) <("$WARPSCAPE" annotate --db back.db) &&
    echo 'the same from what was written for Accel-Sim'
echo '--- a file that nobody names'
"$WARPSCAPE" import traces --lines --db unnamed.db 2>&1
"$WARPSCAPE" annotate --db unnamed.db
"$WARPSCAPE" summary --db unnamed.db
"$WARPSCAPE" annotate --db unnamed.db --format csv | grep -v '^#' | cut -d, -f1-6,8
echo '--- no lines'
"$WARPSCAPE" import plain --lines --db plain.db 2>&1
"$WARPSCAPE" annotate --db plain.db | head -3
