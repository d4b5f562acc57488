cat >k.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    st.global.u32 [%rd1], 7;
    ret;
}
END
printf 'buffer x u32 1\nlaunch k args x\nexpect x = 7\n' >k.launch
"$WARPSCAPE" annotate
"$WARPSCAPE" exec --lines k.ptx k.launch
"$WARPSCAPE" exec --db x.db k.ptx k.launch
"$WARPSCAPE" annotate --db x.db
"$WARPSCAPE" exec --lines --db x.db k.ptx k.launch
"$WARPSCAPE" annotate --db x.db
"$WARPSCAPE" annotate --db x.db k other
"$WARPSCAPE" annotate --db x.db k '['
"$WARPSCAPE" annotate --db x.db k k k
"$WARPSCAPE" annotate --db x.db --format yaml
