# Counts of instructions that GPGPU-Sim 4.2 found in its functional mode for the same kernels (tests/oracle/counts.cu) and
# sizes, with `-gpgpu_ptx_sim_mode 1`: warps 180224, 2965504, 2031616; threads 5767168 and 65011712 for the first and the last,
# and in its timing mode, where untaken guarded branches are left out, 262144 fewer for the first.
# heavy: millions of warp instructions; other cases go through the same code
cat >counts.launch <<'END'
buffer a f32 262144 fill 1
buffer b f32 262144 fill 2
buffer c f32 262144
launch vecadd grid 1024 block 256 args a b c 262144
expect c fill 3
launch naive grid 16 16 block 16 16 args a b c 256
expect c[0..65535] fill 512
launch tiled grid 16 16 block 16 16 args a b c 256
expect c[0..65535] fill 512
END
"$WARPSCAPE" exec --db counts.db --set all "$GOLDEN/../../oracle/counts.ptx" counts.launch
"$WARPSCAPE" metrics --db counts.db --per launch --set all >all.csv
awk -F, '/^#/ { next }
    !column["I_total"] { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { print $2, "threads", $column["I_total"], "warps", $column["evaluation_warp_instr"] }' all.csv
