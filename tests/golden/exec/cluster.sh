# Clusters that a launch file asks for: their ranks, and what is refused.
cat >where.ptx <<'PTX'
.version 9.0
.target sm_90
.address_size 64
.visible .entry where(.param .u64 out)
{
    .reg .u64 o; .reg .u32 a, b;
    ld.param.u64 o, [out];
    mov.u32 a, %ctaid.y; mov.u32 b, %nctaid.x; mad.lo.u32 a, a, b, %ctaid.x; mad.wide.u32 o, a, 8, o;
    mov.u32 a, %cluster_ctarank; mov.u32 b, %cluster_nctarank; st.global.v2.u32 [o], {a, b};
    ret;
}
.visible .entry pairs() .reqnctapercluster 2 { ret; }
PTX
try() { printf 'buffer o u32 16\nlaunch %s\n%s\n' "$1" "${2:-}" >w.launch && "$WARPSCAPE" exec where.ptx w.launch 2>&1; echo "exit status $?"; }
try 'where grid 4 2 cluster 2 2 args o' 'expect o = 0 4 1 4 0 4 1 4 2 4 3 4 2 4 3 4'
try 'where grid 4 2 cluster 4 args o' 'expect o = 0 4 1 4 2 4 3 4 0 4 1 4 2 4 3 4'
try 'where grid 4 2 args o' 'expect o = 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1'
try 'where grid 5 cluster 2 args o'
try 'where grid 34 cluster 17 args o'
try 'pairs grid 4 cluster 4'
try 'where grid 4 cluster 0 args o'
try 'where grid 4 cluster args o'
