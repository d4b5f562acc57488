# One name, at one side of its point, or none at all: gnuplot 5.4 dies of labels of which none has a place.
# unsanitized: the time is gnuplot's; script-front.sh has what our code writes
printf 'point,seconds,joules,front\np,1,2,1\nq,2,3,0\n' >one.csv
$WARPSCAPE plot front one.csv -o one.svg && grep -c '>p<' one.svg
$WARPSCAPE plot front one.csv --labels none -o none.svg && grep -c '>p<' none.svg
printf 'w,PC1,PC2\np,1,2\n' >one.csv
$WARPSCAPE plot scores one.csv -o one.svg && grep -c '>p<' one.svg
for figure in scores biplot dendrogram columns heatmap profile bars traffic network tornado; do
    frame=$GOLDEN/suite.csv
    case $figure in
    bars) frame=$GOLDEN/stack.csv ;;
    traffic | floor | network | tornado) frame=$GOLDEN/$figure.csv ;;
    esac
    $WARPSCAPE plot $figure "$frame" --labels none -o $figure.svg && tail -c 8 $figure.svg
done
