# Ranks: an outlier counts as the first of the others, not by how far it is out; equal values share their ranks.
printf 'w,a,b\nA,1,5\nB,2,5\nC,3,7\nD,1e9,9\n' >far.csv
printf 'w,a,b\nA,10,1\nB,20,1\nC,30,2\nD,40,3\n' >near.csv
for f in far near; do $WARPSCAPE pca $f.csv --ranks | grep -v '^# command' >$f.scores; done
cmp far.scores near.scores && grep -v '^[A-D]' near.scores
awk -F, '/^[A-D],/ { printf "%s,%.9f\n", $1, $2 }' near.scores
