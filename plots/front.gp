# front.gp - points, those that nothing betters joined and named.
set xrange [ws_x_low:ws_x_high]
set yrange [ws_y_low:ws_y_high]
set label 997 ws_x_title at graph 0.5, screen sy(ws_bottom + title_x_px) center textcolor rgb ink
set label 998 ws_y_title at screen sx(title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
set grid xtics ytics lc rgb pale lw 0.6 lt 1
set format "%.6g" # neighbours a thousandth apart differ
plot $leaders using 1:2 with lines lc rgb "#aaaaaa" lw 0.7, \
     $front using 1:2 with lines lc rgb "#D55E00" lw 1.2, \
     $points using 1:2:3 with points pt 7 ps mark * 0.6 lc rgb variable, \
     $points using ($4 > 0 ? $1 : NaN):2 with points pt 6 ps mark * 1.2 lw 1.2 lc rgb "#D55E00", \
     $labels using ($4 > 0 ? $1 : NaN):2:(text(3)) with labels left font ",10" textcolor rgb ink, \
     $labels using ($4 < 0 ? $1 : NaN):2:(text(3)) with labels right font ",10" textcolor rgb ink, \
     $labels using ($4 == 0 ? $1 : NaN):2:(text(3)) with labels center font ",10" textcolor rgb ink
