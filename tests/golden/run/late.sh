# A program that is not linked with CUDA and loads the driver when it runs.
"$WARPSCAPE" run "$(dirname "$WARPSCAPE")"/programs/late
"$WARPSCAPE" launches | cut -d, -f1-5
