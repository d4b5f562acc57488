# Instructions as GPGPU-Sim 4.2 counts them for the same PTX: 180224 of vecadd over 2^18 elements, and of a product of
# 256 x 256 without tiles 2965504, of which this is a sixteenth. Threads: every lane that reaches an instruction, its
# guard true or not.
app=$(dirname "$WARPSCAPE")/tests/cuda/counts-13
"$WARPSCAPE" run --kernels none "$app" 2>/dev/null
"$WARPSCAPE" launches | cut -d, -f3-5,14-15
