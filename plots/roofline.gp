# roofline.gp - kernels under the roofs of a machine; places are powers of ten.
set xrange [ws_x_low:ws_x_high]
set yrange [ws_y_low:ws_y_high]
set label 997 "operations for a byte" at graph 0.5, screen sy(ws_bottom + title_x_px) center textcolor rgb ink
set label 998 "1e9 operations a second, at best" at screen sx(title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
set grid xtics ytics lc rgb pale lw 0.6 lt 1
key_y(k) = ws_bottom - 14.0 * (k + 1)
gx(px) = ws_x_low + px / (ws_right - ws_left) * (ws_x_high - ws_x_low)
gy(px) = ws_y_low + (ws_bottom - px) / (ws_bottom - ws_top) * (ws_y_high - ws_y_low)
key_at = ws_right - ws_left - 150.0
plot $roofs using 1:2:3 with lines lc rgb variable lw 1.6, \
     $ties using 1:2:3 with lines lc rgb variable lw 1, \
     $leaders using 1:2 with lines lc rgb "#aaaaaa" lw 0.7, \
     $points using 1:2:3 with points pt 7 ps mark * 0.7 lc rgb variable, \
     $labels using ($4 > 0 ? $1 : NaN):2:(text(3)) with labels left font ",10" textcolor rgb ink, \
     $labels using ($4 < 0 ? $1 : NaN):2:(text(3)) with labels right font ",10" textcolor rgb ink, \
     $labels using ($4 == 0 ? $1 : NaN):2:(text(3)) with labels center font ",10" textcolor rgb ink, \
     $key using (gx(key_at)):(gy(key_y($0))):1 with points pt 7 ps mark * 0.9 lc rgb variable, \
     $key using (gx(key_at + 8)):(gy(key_y($0))):(text(2)) with labels left font ",10" textcolor rgb ink
