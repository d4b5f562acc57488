# A trace of a machine comes back as it was: an access without addresses (constants) gets none.
mkdir traces
cat > traces/kernel-1.traceg <<'END'
-kernel name = _Z1kPf
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 8
-binary version = 90
-cuda stream id = 0
-shmem base_addr = 0x00007f6d9a000000
-local mem base_addr = 0x00007f6d98000000
-nvbit version = 1.7.4
-accelsim tracer version = 5
-enable lineinfo = 0

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 5
0000 ffffffff 1 R2 LDG.E.U8 1 R4 1 1 0x7fc841500000 3 0 
0010 ffffffff 0 ULDC.64 0 0 0 
0020 00000000 0 BRA 0 0 96 
0030 ffffffff 1 R3 LDC 0 0 0 
0040 ffffffff 0 EXIT 0 0 0 

#END_TB
END
"$WARPSCAPE" import traces -o k.wst
"$WARPSCAPE" replay k.wst --accelsim back
sed -n '/^warp/,/^#END/p' back/kernel-1.traceg
