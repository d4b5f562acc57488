"$WARPSCAPE" model coherence --help
