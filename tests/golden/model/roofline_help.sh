"$WARPSCAPE" model roofline --help
