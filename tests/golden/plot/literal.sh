# Names stand in pictures as they are, whatever gnuplot or a page would make of them; what a terminal would obey is
# written out. The picture's title is the figure's, in words.
cat >odd.csv <<'END'
# labels: 1
name,"x_{1}^2 & <y> @m ""q"" \t 's' `touch ran`",öä%g %s $1 #c,"back\slash\n ''"
"x_{1}^2 & <y> @m ""q"" \t 's' `touch ran`",0,2,3
"two
lines",1,1,5
öä%g %s $1 #c,2,5,4
"back\slash\n ''",3,3,1
END
printf 'esc\033[31mape,4,2,2\n' >>odd.csv
for figure in scores biplot loadings dendrogram columns heatmap profile bars curves timeline; do
    case $figure in
    scores | dendrogram | heatmap) options='--pcs 3' ;;
    biplot | loadings) options='--pcs 3 --top 9' ;;
    *) options= ;;
    esac
    $WARPSCAPE plot $figure odd.csv $options --width 1200 -o $figure.svg && echo "== $figure" &&
        grep -o '<title>.*' $figure.svg &&
        sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p; s/.*<tspan[^>]*>\(.*\)<\/tspan>.*/\1/p' $figure.svg |
        grep '[a-zö]' | LC_ALL=C sort -u
done
$WARPSCAPE plot scree odd.csv --title 'A & B' -o titled.svg && grep '<title>' titled.svg
ls ran 2>/dev/null || echo nothing ran
