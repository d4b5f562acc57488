# A machine file of GPGPU-Sim: what nothing here corresponds to is listed once with what that costs, and refused by
# --strict.
export WARPSCAPE_DATA=$TOP/data
printf 'buffer a f32 64\nlaunch vadd grid 2 block 32 args a a a 64\n' >x.launch
cat >their.config <<'EOF'
# unified L1 and shared memory, scattered slices, two command buses, an old spelling
-gpgpu_n_clusters 2 -gpgpu_n_cores_per_cluster 1 -gpgpu_n_mem 8 -gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_clock_domains 1000:1000:1000:850
-gpgpu_shader_core_pipeline 1024:32 -gpgpu_shmem_limited_broadcast 0 -gpgpu_shmem_warp_parts 1 -gpgpu_shmem_num_banks 32
-gpgpu_shader_registers 65536
-smem_latency 20
-gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 128 -gpgpu_shmem_option 0,32,96 -gpgpu_shmem_size 98304
-gpgpu_flush_l1_cache 1 -gpgpu_l1_banks 4
-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:256:8,16:0,32
-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32
-gpgpu_cache:dl2_texture_only 0
-gpgpu_memory_partition_indexing 2 -dram_dual_bus_interface 1 -dram_bnk_indexing_policy 1 -dram_bnkgrp_indexing_policy 1
-gpgpu_n_cluster_ejection_buffer_size 32
-network_mode 2
-gpgpu_dram_buswidth 16 -gpgpu_dram_burst_length 2
-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS
-gpgpu_dram_timing_opt nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3
-gpgpu_inst_fetch_throughput 4
-gpgpu_runtime_stat 500
EOF
"$WARPSCAPE" sim --config ./their.config "$TOP/tests/golden/exec/example.ptx" x.launch 2>err | grep -c ',done,'
cat err
"$WARPSCAPE" sim --config ./their.config --options 2>err |
    grep -E '^(l1\.(ways|unified|shared|width|request)|l2\.(scatter|port)|shared\.read),'
"$WARPSCAPE" sim --config ./their.config --strict "$TOP/tests/golden/exec/example.ptx" x.launch
echo "exit status $?"
sed 's/-gpgpu_shmem_option 0,32,96/-gpgpu_shmem_option 0,32,16/' their.config >bad.config
"$WARPSCAPE" sim --config ./bad.config "$TOP/tests/golden/exec/example.ptx" x.launch 2>&1 >/dev/null
sed 's/-gpgpu_memory_partition_indexing 2/-gpgpu_memory_partition_indexing 3/' their.config >bad.config
"$WARPSCAPE" sim --config ./bad.config "$TOP/tests/golden/exec/example.ptx" x.launch 2>&1 >/dev/null
