# Every workload, one line each; scripts read this.
"$WARPSCAPE" suite list
