# The 129 dimensions of matrix multiply: 6 blocks of 256 threads, two tiles of 16 x 16.
"$WARPSCAPE" suite run --scale tiny MM 2>log && "$WARPSCAPE" metrics --set study --definitions
