# Standard input and a file give the same scores.
$WARPSCAPE pca $GOLDEN/suite.csv | grep -v '^# command' >a
$WARPSCAPE pca - <$GOLDEN/suite.csv | grep -v '^# command' >b
cmp a b && grep -c . a
