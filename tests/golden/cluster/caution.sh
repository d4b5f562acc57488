# Clusters that are none are told so, in the comments and to who reads the table; good ones are not spoken of.
frame() { printf '%s\n' "$@" >points.csv; }
frame w,x,y A,0,0 B,1,0 C,0,1 D,1,1 E,2,0 F,2,1 G,0,2 H,1,2 I,2,2
$WARPSCAPE cluster points.csv --k 2 | grep caution
frame w,x A,0 B,0.1 C,0.2 D,0.3 E,9
$WARPSCAPE cluster points.csv --k 2 --assign who.csv 2>&1 >merges.csv
grep -h '^# caution' who.csv merges.csv
frame w,x A,0 B,0.1 C,5 D,5.1
$WARPSCAPE cluster points.csv --k 2 2>&1 | grep -c caution
