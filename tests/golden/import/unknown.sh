# What is not known is said, and counted as something.
cat > kernel-1.traceg <<END
-kernel name = k
-grid dim = (1,1,1)
-block dim = (32,1,1)
-accelsim tracer version = 6
#traces format = ...
#BEGIN_TB
thread block = 0,0,0
warp = 0
insts = 5
0000 ffffffff 1 R1 NEWOP.X 0 0 0 NoVal
0010 ffffffff 1 R1 NEWOP.Y 0 0 0 NoVal
0020 ffffffff 1 R1 NEWLD 1 R2 4 1 0x7f00 4 0 0 NoVal
0030 00000001 0 UTMALDG.2D 2 UR4 UR8 128 0x400 0 4096 0 4 0x7f000000 3 128 128 0 0 NoVal
0040 ffffffff 0 EXIT 0 0 0 NoVal
END
printf 'MemcpyPeer of some kind\n' > kernelslist.g
"$WARPSCAPE" import .
printf 'something else\nkernel-1.traceg\n' > kernelslist.g
"$WARPSCAPE" import .
