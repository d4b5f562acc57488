# dendrogram.gp - root left, leaves right; the axis is the distance at which two clusters are joined.
set border 0
set xrange [ws_end:-ws_aside * ws_per_px]
set yrange [ws_leaves - 0.5:-0.5]
unset ytics
set xtics 0, ws_step, ws_end
set arrow 1 from ws_end, graph 0 to 0, graph 0 nohead lw 0.8 lc rgb "#555555"
# In the middle of the axis, or where the whole of it is in the picture.
tree_px = ws_end / ws_per_px
middle_px = ws_left + (tree_px / 2 > ws_axis_half ? tree_px / 2 : ws_axis_half)
set label 997 ws_axis at screen sx(middle_px), screen sy(ws_note_top - 10) center textcolor rgb ink
if (ws_cut >= 0) {
    set arrow 2 from ws_cut, screen sy(ws_top - 4) to ws_cut, graph 0 nohead dt 2 lw 1.1 lc rgb "#444444"
    set label 2 sprintf("%d clusters", ws_clusters) at ws_cut, screen sy(ws_top - 13) center font ",10" textcolor rgb ink
}
px(n) = -n * ws_per_px
plot $branches using 1:2:3 with lines lw 1.5 lc rgb variable, \
     $leaves using (column(3) > 0 ? px(6) : NaN):1:2 with points pt 7 ps mark * 0.55 lc rgb variable, \
     $leaves using (px(13)):1:(text(4)) with labels left font ",10.5" textcolor rgb ink, \
     $brackets using (px(18 + ws_names)):1:(0):(column(2) - column(1)):3 with vectors nohead lw 3 lc rgb variable, \
     $brackets using (px(29 + ws_names)):((column(1) + column(2)) / 2):(sprintf("%d", column(4))):3 with labels center font ",10" textcolor rgb variable
