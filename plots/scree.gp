# scree.gp - bars: each component; line: all up to it.
set xrange [0.4:ws_shown + 0.6]
set yrange [0:100]
set xtics ws_step
set ytics 20 format "%g %%"
set grid ytics lc rgb pale lw 0.6 lt 1
set label 997 "principal component" at graph 0.5, screen sy(ws_bottom + title_x_px) center textcolor rgb ink
set label 998 "variance explained" at screen sx(title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
set boxwidth 0.72
set style fill solid 1.0 noborder
set key at graph 0.98, graph 0.55 right center Left reverse opaque samplen 1.4 spacing 1.25 textcolor rgb ink
plot $bars using 1:2:4 with boxes lc rgb variable notitle, \
     $bars using 1:3 with linespoints lc rgb "#D55E00" lw 1.6 pt 7 ps mark * 0.55 title "cumulative", \
     NaN with boxes lc rgb "#0072B2" title sprintf("kept (%d)", ws_kept), \
     NaN with boxes lc rgb "#B8B8B8" title sprintf("left out (%d)", ws_left_out)
