# strata.gp - a point a launch, in the colour and form of its stratum; rings and weights: those that are chosen.
set xrange [ws_x_low:ws_x_high]
set yrange [ws_y_low:ws_y_high]
set xtics ws_x_step
set grid ytics lc rgb pale lw 0.6 lt 1
if (ws_log > 0) {
    set logscale y 10
    set mytics 1
}
set format y "%.0s%c"
set label 997 "launch" at graph 0.5, screen sy(ws_bottom + title_x_px) center textcolor rgb ink
set label 998 "warp instructions" at screen sx(title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
plot $launches using 1:2:3:4 with points pointtype variable pointsize mark * 0.5 lc rgb variable, \
     $launches using ($5 > 0 ? $1 : NaN):2 with points pt 6 ps mark * 1.3 lw 1.3 lc rgb ink, \
     $weights using 1:2:($3 > 0 ? sprintf("%.3g", $3) : "") with labels center offset 0,0.9 font ",9" textcolor rgb ink
