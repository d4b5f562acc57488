# scores.gp - a point a workload; a ring marks the one that stands for its cluster.
set xrange [ws_x_low:ws_x_high]
set yrange [ws_y_low:ws_y_high]
set xlabel ws_x_title
set ylabel ws_y_title
set xzeroaxis lt 1 lc rgb pale lw 0.8
set yzeroaxis lt 1 lc rgb pale lw 0.8
point_size = ws_labels > 0 ? 0.72 : 0.4
plot $leaders using 1:2 with lines lc rgb "#aaaaaa" lw 0.7, \
     $points using 1:2:4:3 with points pointtype variable pointsize point_size lc rgb variable, \
     $points using (column(5) ? column(1) : NaN):2:3 with points pt 6 ps 1.5 lw 1.2 lc rgb variable, \
     $labels using 1:2:3 with labels center font ",10" textcolor rgb ink
