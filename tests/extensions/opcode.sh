# An opcode: docs/adding.md.
bits=collect/simt/lanes_level_bits.c
change collect/ptx/opcode.def 's/^ALU\( popc, .*/&\nALU( toy, ARITH, SFU, SPECIAL, "DS", "wt", NONE, "POPC", 0, bits )/'
fails 'FORMS_toy' build
change $bits 's/^#define FORMS_popc .*/&\n#define FORMS_toy ROW(toy, b32, 0, popc_b32) ROW(toy, b64, 0, popc_b64)/'
fails 'toy' unit variants
change tests/unit/ptx_variants.def 's/"\{popc,clz,brev\}/"{popc,clz,brev,toy}/'
passes unit variants
fails 'toy' unit kernel_opcodes
add tests/kernels/toy.ptx <<'TOY'
.version 6.5
.target sm_70
.address_size 64
.visible .entry toy(.param .u64 d)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<4>;
	ld.param.u64 %rd1, [d];
	mov.b32 %r1, 7;
	toy.b32 %r2, %r1;
	cvt.u64.u32 %rd2, %r1;
	toy.b64 %r3, %rd2;
	st.global.b32 [%rd1], %r2;
	st.global.b32 [%rd1+4], %r3;
	ret;
}
TOY
add tests/kernels/toy.launch <<'TOY'
buffer d b32 2
launch toy block 1 args d
expect d[0..1] =
    0x00000003 0x00000003
TOY
passes unit kernel_opcodes
passes unit facts
passes check opcodes rows
