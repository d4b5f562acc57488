# Memory behind links of light: counters, what it costs, checkpoints, threads, and what is refused.
# heavy: simulates ten times with slow links; test_memory_channel_optical goes through the same code
printf 'buffer a f32 65536\nlaunch vadd grid 2048 block 32 args a a a 65536\n' >x.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" x.launch --trace x.wst >/dev/null
column() { # NAME..., of the launch
    awk -F, -v names="$*" '/^#/ { next } !rows++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { count = split(names, name, " "); for (i = 1; i <= count; i++) printf "%s%s %s", (i > 1 ? ", " : ""),
            name[i], $(at[name[i]]); print "" }'
}
sim() { "$WARPSCAPE" sim --config photonic-memory "$@"; }
for concurrent in 0 1; do
    sim --set memory.concurrent=$concurrent x.wst | column cycles dram_reads dram_row_hits dram_efficiency dram_latency
done
# A slow wavelength is felt, and the rest of its options are there.
slow=(--set 'memory.wavelength_rate=2000 Mb/s' --set memory.command_wavelengths=64 --set memory.link_wavelengths=128)
sim "${slow[@]}" x.wst | column cycles dram_latency
sim --options | grep -E '^memory\.(channel|part|subchannels|concurrent|interleave|.*_wavelengths|command_bits|wavelength_rate|flight|convert),'
# Whatever the threads, and from a checkpoint.
strip() { grep -v '^# command'; }
sim x.wst | strip >one.csv
sim -j 3 x.wst | strip | cmp - one.csv && echo "same with three threads"
printf 'buffer a f32 524288\nlaunch vadd grid 2048 block 256 args a a a 524288\n' >y.launch
"$WARPSCAPE" exec "$TOP/tests/golden/exec/example.ptx" y.launch --trace y.wst >/dev/null
sim "${slow[@]}" y.wst | strip >whole.csv
sim "${slow[@]}" --checkpoint part --every 1 --max-cycles 20500 y.wst | column ended
sim "${slow[@]}" --checkpoint part --resume y.wst | strip | cmp - whole.csv && echo "same from a checkpoint"
# What light costs is a column of its own; one that comes too early, and too much of it on one wavelength.
sim --power power.csv x.wst >/dev/null
column memory_light dram <power.csv
sim --set memory.flight=600 --power power.csv x.wst 2>&1 | grep -v '^#' | tail -n 1
sed 's/^couplers = 5/couplers = 30/' "$TOP/data/tech/optics.ini" >lossy.ini
sim --set power.optics=./lossy.ini --power power.csv x.wst 2>&1 | grep -v '^#' | tail -n 1
# What is refused.
for wrong in memory.subchannels=6 memory.subchannels=0 memory.subchannels=4 memory.interleave=96 \
    'memory.interleave=32 bytes' memory.read_wavelengths=12 memory.read_wavelengths=0 \
    memory.write_wavelengths=24 memory.write_wavelengths=2 memory.north_wavelengths=128 memory.command_wavelengths=48 \
    memory.command_wavelengths=5 memory.concurrent=2 \
    memory.wavelength_rate=0; do
    echo "$wrong: $(sim --set "$wrong" x.wst 2>&1 | grep -v '^#' | tail -n 1 | sed 's|/.*/data|data|' | cut -c1-260)"
done
exit 0
