# Atomics on 128 bits and ordered stores of 16 bytes on several workers: each is indivisible to the other, so no store
# is lost.
cat >swaps.ptx <<'PTX'
.version 8.4
.target sm_90
.address_size 64

// Block 0 swaps what it finds for the same; block 1 stores 1, 2, ... 20000 in pairs and looks at each: none may be lost. It counts those that are.
.visible .entry swap_beside_stores(.param .u64 pair, .param .u64 lost)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<8>, %n, %lost;
	.reg .b128 %q<4>;
	.reg .pred %p;
	ld.param.u64 %rd1, [pair];
	mov.u32 %r1, %ctaid.x;
	setp.ne.u32 %p, %r1, 0;
	@%p bra STORES;
SWAPS:
	ld.relaxed.gpu.global.v2.b64 {%rd2, %rd3}, [%rd1];
	mov.b128 %q1, {%rd2, %rd3};
	atom.global.cas.b128 %q2, [%rd1], %q1, %q1;
	setp.lt.u64 %p, %rd2, 20000;
	@%p bra SWAPS;
	ret;
STORES:
	mov.u64 %n, 0;
	mov.u64 %lost, 0;
NEXT:
	add.u64 %n, %n, 1;
	st.relaxed.gpu.global.v2.b64 [%rd1], {%n, %n};
	ld.relaxed.gpu.global.v2.b64 {%rd4, %rd5}, [%rd1];
	setp.ne.u64 %p, %rd4, %n;
	@%p add.u64 %lost, %lost, 1;
	setp.ne.u64 %p, %rd5, %n;
	@%p add.u64 %lost, %lost, 1;
	setp.lt.u64 %p, %n, 20000;
	@%p bra NEXT;
	st.relaxed.gpu.global.v2.b64 [%rd1], {%n, %n};
	ld.param.u64 %rd6, [lost];
	st.global.u64 [%rd6], %lost;
	ret;
}
PTX
echo "buffer lost b64 1 fill 1" >swaps.launch
for i in 1 2 3 4 5 6 7 8; do
    printf '%s\n' "buffer pair$i b64 2" "launch swap_beside_stores grid 2 block 1 args pair$i lost" "expect lost = 0" \
        >>swaps.launch
done
"$WARPSCAPE" exec -j 3 swaps.ptx swaps.launch | grep -v '^launch'
