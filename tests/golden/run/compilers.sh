# unsanitized: nothing is preloaded with sanitizers, so nothing stands before the compilers
# What NVRTC, nvJitLink and the PTX compiler give as machine code is PTX under `run`: kernels run, with their names and lines.
compilers=$(dirname "$WARPSCAPE")/programs/compilers
for how in nvrtc nvrtc-ptx nvjitlink ptxcompiler lto wrong; do
    echo "== $how"
    "$WARPSCAPE" run "$compilers" $how 2>&1
    echo "exit status $?"
done
"$WARPSCAPE" launches | cut -d, -f1-4
"$WARPSCAPE" annotate | head -8
