# A frame that somebody else wrote makes a page; what its names say is text, in the page and in its data.
cat >odd.csv <<'END'
name,x,y
</script><b>,1,5
"say ""no""",2,3
"two
lines",4,4
a & b,3,NA
END
$WARPSCAPE report -o odd odd.csv --linkage ward --k 2 && ls odd/frames
grep -c '<b>' odd/index.html
sed -n '/id="frame-rows"/,/^}/p' odd/index.html | head -n 7
# A page of many rows holds a part of them, and says which.
awk 'BEGIN { printf "row"; for (j = 0; j < 30; j++) printf ",c%d", j; print ""
    for (i = 0; i < 40000; i++) { printf "r%d", i; for (j = 0; j < 30; j++) printf ",%d", (i * (j + 3)) % 1009;
        print "" } }' >many.csv
$WARPSCAPE report -o many many.csv && grep -o '"rows":40000[^,]*,[^,]*,[^,]*,[^,]*' many/index.html &&
    grep -o 'The map is of [^<]*' many/index.html
[ "$(wc -c <many/index.html)" -lt 20000000 ] && echo 'of a size to open'
$WARPSCAPE report -o no --db x.db odd.csv 2>&1 | head -n 1
$WARPSCAPE report -o no odd.csv odd.csv 2>&1 | head -n 1
