# The launch before the damage is kept, the place is named; metrics count only with --partial.
kernel() {
    cat <<END
-kernel name = k
-grid dim = (1,1,1)
-block dim = (32,1,1)
-accelsim tracer version = 5
#traces format = ...
#BEGIN_TB
thread block = 0,0,0
warp = 0
insts = 2
0000 ffffffff 1 R1 MOV 0 0 0 
END
}
{ kernel; echo '0010 ffffffff 0 EXIT 0 0 0 '; } > kernel-1.traceg
{ kernel; echo '0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f00 many 0 '; } > kernel-2.traceg
printf 'kernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n' > kernelslist.g
"$WARPSCAPE" import kernelslist.g
echo "status $?"
"$WARPSCAPE" import . -o kept.wst --db kept.db
"$WARPSCAPE" replay kept.wst
"$WARPSCAPE" metrics --db kept.db
"$WARPSCAPE" import . --workload K --partial --db kept.db
"$WARPSCAPE" metrics --db kept.db | grep '^K' | cut -d, -f1
