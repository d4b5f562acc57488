$WARPSCAPE --version
