# scores.gp - a point a workload; a ring marks the one that stands for its cluster.
set xrange [ws_x_low:ws_x_high]
set yrange [ws_y_low:ws_y_high]
set label 997 ws_x_title at graph 0.5, screen sy(ws_bottom + title_x_px) center textcolor rgb ink
set label 998 ws_y_title at screen sx(title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
set xzeroaxis lt 1 lc rgb pale lw 0.8
set yzeroaxis lt 1 lc rgb pale lw 0.8
point_size = mark * (ws_labels > 0 ? 0.72 : 0.4)
plot $leaders using 1:2 with lines lc rgb "#aaaaaa" lw 0.7, \
     $points using 1:2:4:3 with points pointtype variable pointsize point_size lc rgb variable, \
     $points using (column(5) > 0 ? column(1) : NaN):2:3 with points pt 6 ps mark * 1.5 lw 1.2 lc rgb variable, \
     $labels using ($4 > 0 ? $1 : NaN):2:(text(3)) with labels left font ",10" textcolor rgb ink, \
     $labels using ($4 < 0 ? $1 : NaN):2:(text(3)) with labels right font ",10" textcolor rgb ink, \
     $labels using ($4 == 0 ? $1 : NaN):2:(text(3)) with labels center font ",10" textcolor rgb ink
