# Columns by name and pattern, in that order and each once; of those that are none, what may have been meant.
"$WARPSCAPE" suite run --scale tiny MM 2>log
"$WARPSCAPE" metrics --columns 'simd_e*,K_n,simd_*' | grep -v '^# run'
"$WARPSCAPE" metrics --columns simd_eficiency
"$WARPSCAPE" metrics --columns 'K_n,nothing_*'
"$WARPSCAPE" metrics --set performance --columns simd_efficiency
true
