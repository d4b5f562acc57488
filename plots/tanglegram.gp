# tanglegram.gp - roots at the sides, leaves inside; everything in pixels, as the two axes have scales of their own.
set border 0
unset xtics
unset ytics
set xrange [0:ws_width]
set yrange [ws_span:0]
axis_px = 5
set arrow 1 from ws_margin, ws_span + axis_px to ws_margin + ws_tree, ws_span + axis_px nohead lw 0.8 lc rgb "#555555"
set arrow 2 from ws_width - ws_margin - ws_tree, ws_span + axis_px to ws_width - ws_margin, ws_span + axis_px nohead lw 0.8 lc rgb "#555555"
do for [k = 1:|$ticks|] {
    ws_tick = $ticks[k]
    set arrow 10 + k from real(word(ws_tick, 1)), ws_span + axis_px to real(word(ws_tick, 1)), ws_span + axis_px + 3 nohead lw 0.8 lc rgb "#555555"
    set label 10 + k word(ws_tick, 2) at real(word(ws_tick, 1)), ws_span + axis_px + 10 center font ",9" textcolor rgb ink
}
# At the outer edges; titles of axes that are wide have a line each.
set label 997 ws_left_axis at screen sx(ws_margin), screen sy(ws_note_top - 10 - ws_stacked) left textcolor rgb ink
set label 998 ws_right_axis at screen sx(ws_width - ws_margin), screen sy(ws_note_top - 10) right textcolor rgb ink
set label 995 ws_left_name at screen sx(ws_margin), screen sy(ws_top - 12) left textcolor rgb ink
set label 996 ws_right_name at screen sx(ws_width - ws_margin), screen sy(ws_top - 12) right textcolor rgb ink
if (ws_cut_at >= 0) {
    set arrow 3 from ws_cut_at, 0 to ws_cut_at, ws_span nohead dt 2 lw 1.1 lc rgb "#444444"
}
plot $links using 1:2:3 with lines lw 1.2 lc rgb variable, \
     $left using 1:2:3 with lines lw 1.5 lc rgb variable, \
     $right using 1:2:3 with lines lw 1.5 lc rgb variable, \
     $left_names using (column(4) > 0 ? column(1) - 6 : NaN):2:3 with points pt 7 ps mark * 0.55 lc rgb variable, \
     $right_names using (column(4) > 0 ? column(1) + 6 : NaN):2:3 with points pt 7 ps mark * 0.55 lc rgb variable, \
     $left_names using 1:2:(text(5)) with labels left font ",10.5" textcolor rgb ink, \
     $right_names using 1:2:(text(5)) with labels right font ",10.5" textcolor rgb ink
