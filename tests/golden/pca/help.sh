$WARPSCAPE pca --help
