# Counts of instructions that GPGPU-Sim 4.2 found in its functional mode for the same kernels (tests/oracle/counts.cu)
# and sizes, with `-gpgpu_ptx_sim_mode 1`: warps 180224, 2965504, 2031616; threads 5767168 and 65011712 for the first
# and the last, and in its timing mode, where untaken guarded branches are left out, 262144 fewer for the first. Of a
# sum of 524288 numbers by a tree and an atomic (its source is not published; ours is written as one would) it counted
# 470016 and 14416896.
# heavy: millions of warp instructions; other cases go through the same code
cat >counts.launch <<'END'
buffer a f32 262144 fill 1
buffer b f32 262144 fill 2
buffer c f32 262144
buffer ones f32 524288 fill 1
buffer sum f32 1
launch vecadd grid 1024 block 256 args a b c 262144
expect c fill 3
launch naive grid 16 16 block 16 16 args a b c 256
expect c[0..65535] fill 512
launch tiled grid 16 16 block 16 16 args a b c 256
expect c[0..65535] fill 512
launch reduce grid 1024 block 256 args ones sum 524288
expect sum fill 524288
END
"$WARPSCAPE" exec --db counts.db --set all "$GOLDEN/../../oracle/counts.ptx" counts.launch
"$WARPSCAPE" metrics --db counts.db --per launch --set all >all.csv
awk -F, '/^#/ { next }
    !column["I_total"] { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { print $2, "threads", $column["I_total"], "warps", $column["evaluation_warp_instr"] }' all.csv
