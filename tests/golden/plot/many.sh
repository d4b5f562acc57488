# Many rows: a random sample is drawn and said so, the same each time; few rows and columns that do not vary.
# heavy: the time is gnuplot's, with a hundred thousand rows; script-*.sh have what our code writes
awk 'BEGIN { print "w,a,b,c,same"; for (i = 0; i < 100000; i++) printf "r%d,%d,%d,%d,4\n", i, i % 97, i * 7 % 89,
    i * i % 83 }' >many.csv
for figure in scores biplot dendrogram heatmap columns profile loadings scree; do
    options=$([ $figure != profile ] || echo --k 3)
    $WARPSCAPE plot $figure many.csv $options -o one.gp && $WARPSCAPE plot $figure many.csv $options -o two.gp &&
        cmp one.gp two.gp && echo "== $figure" && grep "^ws_note\[" one.gp
done
$WARPSCAPE plot profile many.csv --drop same --rows 99961-100000 -o one.gp && grep '^ws_note\[\|^ws_stars' one.gp
head -2 many.csv >one.csv
for figure in scores dendrogram columns heatmap; do $WARPSCAPE plot $figure one.csv -o one.gp 2>&1; done
$WARPSCAPE plot profile one.csv -o one.gp && grep '^ws_note\[' one.gp
head -4 many.csv | cut -d, -f1,2,5 >two.csv
$WARPSCAPE plot columns two.csv -o one.gp 2>&1
awk 'BEGIN { for (i = 0; i < 300; i++) long = long "x";
    printf "w,%s,b,c\n\"<b>&\"\"%s\"\"\nq\",1,2,3\nr,2,9,1\ns,4,4,4\n", long, long }' >long.csv
for figure in scores biplot dendrogram columns heatmap profile bars; do
    $WARPSCAPE plot $figure long.csv --for column -o $figure.svg; grep -c 'x…x' $figure.svg
done
head -3 many.csv >pair.csv
for figure in scores biplot; do $WARPSCAPE plot $figure pair.csv -o one.gp 2>&1; done
# A name that is wider than the figure is shortened until it lies in it.
$WARPSCAPE plot scores long.csv --for column -o one.gp && grep "x…x" one.gp
