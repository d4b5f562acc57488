# pca | cluster; equal workloads merge at height 0.
$WARPSCAPE pca $GOLDEN/../pca/suite.csv | $WARPSCAPE cluster - --linkage average | grep -E '^# (dropped|seed)|^step|^1,'
