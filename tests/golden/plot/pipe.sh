# Scores through a pipe know the shares of their components from the frame's notes.
$WARPSCAPE pca "$GOLDEN/suite.csv" | $WARPSCAPE plot scores - --k 2 -o s.gp && grep -E '^ws_[xy]_title' s.gp
$WARPSCAPE plot scores "$GOLDEN/suite.csv" --k 2 -o t.gp && grep -E '^ws_[xy]_title' t.gp
