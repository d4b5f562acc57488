# A program of the CUDA runtime, linked with its library of version 12, which is found by LD_LIBRARY_PATH or a run path
# of its own.
"$WARPSCAPE" run "$(dirname "$WARPSCAPE")"/tests/cuda/vectors-12
"$WARPSCAPE" launches | cut -d, -f1-7,10-14
