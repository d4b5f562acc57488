# Each figure as each kind of picture, whole, and twice the same bytes.
# heavy: the time is gnuplot's; script-*.sh have what our code writes
for figure in $($WARPSCAPE plot --list | cut -d ' ' -f 1); do
    frame=$GOLDEN/suite.csv other= again=-
    case $figure in
    bars) frame=$GOLDEN/stack.csv ;;
    curves) frame=$GOLDEN/curve.csv ;;
    traffic | floor | network | timeline | tornado | front | roofline | strata) frame=$GOLDEN/$figure.csv ;;
    tanglegram) other=$GOLDEN/pair.csv again=$frame ;; # it shows the name of the frame
    esac
    for kind in svg png pdf; do
        $WARPSCAPE plot $figure "$frame" ${other:+"$other"} -o one.$kind && $WARPSCAPE plot $figure "$again" ${other:+"$other"} -o other.$kind <"$frame" || exit
        cmp one.$kind other.$kind && head -c 8 one.$kind | tr -dc 'A-Za-z%<?' && echo " $figure"
    done
done
