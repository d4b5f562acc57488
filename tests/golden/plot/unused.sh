# An option that a figure can make nothing of is refused by name, of each figure; the others take it.
for option in '--linkage ward' '--k 2' '--pcs 2' '--subspace DV' '--x 1' '--eigenvalues e.csv' '--top 3' \
    --stack '--rows 1-2' '--labels none' \
    '--labels representatives' '--missing rows'; do
    echo "== $option"
    refused=
    for figure in $($WARPSCAPE plot --list | cut -d ' ' -f 1); do
        frame=$GOLDEN/suite.csv other=
        case $figure in
        bars) frame=$GOLDEN/stack.csv ;;
        curves) frame=$GOLDEN/curve.csv ;;
        traffic | floor | network | timeline | tornado | front | roofline | strata) frame=$GOLDEN/$figure.csv ;;
        tanglegram) other=$frame ;;
        esac
        $WARPSCAPE plot $figure "$frame" ${other:+"$other"} $option -o f.gp >log 2>&1 && continue
        [ "$refused" ] || head -n 1 log | sed "s|$GOLDEN/||"
        refused="$refused $figure"
    done
    echo "refused:$refused"
done
$WARPSCAPE pca "$GOLDEN/suite.csv" >scores.csv
for option in '--pcs 2' '--kaiser' '--variance 0.5' '--subspace DV'; do
    $WARPSCAPE plot dendrogram scores.csv $option -o f.gp 2>&1 || echo "$?"
done
$WARPSCAPE plot biplot scores.csv -o f.gp 2>&1 || echo "$?"
$WARPSCAPE plot columns scores.csv -o f.gp 2>&1 || echo "$?"
cut -d, -f1-4 "$GOLDEN/suite.csv" | grep -v '^#' >few.csv
$WARPSCAPE plot profile few.csv --pcs 2 -o f.gp 2>&1 || echo "$?"
for rows in 5 2-1 0-3 1-x 1-9; do
    $WARPSCAPE plot profile few.csv --rows $rows -o f.gp 2>&1 | head -n 1
done
