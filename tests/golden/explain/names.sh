"$WARPSCAPE" explain simd_efficiency D_bra_3 coal_load_stride ipc race_carried sectors reuse uncoalesced_loads
"$WARPSCAPE" explain simd_eficiency
"$WARPSCAPE" explain nothing_like_it_anywhere
"$WARPSCAPE" explain bank
"$WARPSCAPE" explain
