"$WARPSCAPE" import
"$WARPSCAPE" import a b
"$WARPSCAPE" import a --launches 3-2
"$WARPSCAPE" import a --launches 0-2
"$WARPSCAPE" import a --set study
"$WARPSCAPE" import a --partial
"$WARPSCAPE" import nowhere/kernel-1.traceg
