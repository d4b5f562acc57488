# Clusters that are none are told so, in the comments and to who reads the table; good ones are not spoken of.
printf 'w,x,y\n%s\n' A,0,0 B,1,0 C,0,1 D,1,1 E,2,0 F,2,1 G,0,2 H,1,2 I,2,2 | $WARPSCAPE cluster - --k 2 2>&1 >even.csv
grep -c '^# caution: 2 clusters have a silhouette' even.csv
printf 'w,x\n%s\n' A,0 B,0.1 C,0.2 D,0.3 E,9 | $WARPSCAPE cluster - --k 2 --assign who.csv 2>&1 >crowd.csv
grep -c '^# caution' who.csv
printf 'w,x\n%s\n' A,0 B,0.1 C,5 D,5.1 | $WARPSCAPE cluster - --k 2 2>&1 | grep -c caution
