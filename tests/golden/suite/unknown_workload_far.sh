# Nothing is near: all are named.
"$WARPSCAPE" suite run FROBNICATE
