# The same as fractions: each histogram sums to 1 or has no sample.
"$WARPSCAPE" suite run --scale tiny MM 2>log && "$WARPSCAPE" metrics --fractions --definitions |
    grep -E "T_kernel|l_serial_0|^MM"
