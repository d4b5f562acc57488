# Missing values are refused, or dropped by column or row, and named.
printf 'w,a,b,c\nA,1,2,1\nB,2,NA,5\nC,5,3,Inf\nD,7,4,8\nE,1,1,1\n' >in.csv
$WARPSCAPE pca in.csv 2>&1
echo "exit status $?"
$WARPSCAPE pca in.csv --missing columns | grep -E "dropped|^w,|^pca"
$WARPSCAPE pca in.csv --missing rows | grep -E "dropped|^[A-Z]" | cut -d, -f1
