# heatmap.gp - the tree at the left, the matrix, names at the right and below, the scale at the bottom.
set multiplot
set border 0
unset xtics
unset ytics
set yrange [ws_rows - 0.5:-0.5]

set lmargin at screen sx(8)
set rmargin at screen sx(ws_left - 6)
set xrange [1.03 * ws_root:0]
plot $branches using 1:2:3 with lines lw 1.2 lc rgb variable
eval drawn_once

set lmargin at screen ws_left / ws_width
set rmargin at screen ws_right / ws_width
set xrange [-0.5:ws_columns - 0.5]
if (ws_columns_in_tree_order > 0) {
    set tmargin at screen sy(ws_top - ws_strip_px - ws_column_tree_px)
    set bmargin at screen sy(ws_top - ws_strip_px - 2)
    set yrange [0:1.03 * ws_column_root]
    plot $column_branches using 2:1:3 with lines lw 0.9 lc rgb variable
    set tmargin at screen sy(ws_top)
    set bmargin at screen sy(ws_bottom)
    set yrange [ws_rows - 0.5:-0.5]
}
set palette defined (-2 "#0072B2", -1 "#7fb8d8", 0 "#f7f7f7", 1 "#eaae7f", 2 "#D55E00")
set cbrange [-ws_scale_end:ws_scale_end]
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fs solid 1.0 noborder fc rgb "#cfcfcf"
# In a narrow picture the scale begins below the tree.
scale_left_px = ws_width - ws_left > 340 ? ws_left : 16
scale_px = ws_width < 430 ? 0.35 * ws_width : 150.0
set colorbox user horizontal origin screen sx(scale_left_px), screen sy(ws_note_top - 26) size screen scale_px / ws_width, screen 9 / ws_height
set cbtics 1 scale 0.3 offset 0,0.4 font ",9" textcolor rgb ink
set cbtics add (sprintf("%s%g", ws_low_mark, -ws_scale_end) -ws_scale_end, sprintf("%s%g", ws_high_mark, ws_scale_end) ws_scale_end)
set label 1 "standard deviations from the mean" at screen sx(scale_left_px + scale_px + 24), screen sy(ws_note_top - 21) left font ",9" textcolor rgb ink
plot $cells using 1:2:(0.5):(0.5):3 with boxxyerror fs solid 1.0 noborder lc palette
unset colorbox
unset object 1
unset label 1

# Names: a plot in pixels over the whole page.
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0:ws_width]
set yrange [ws_height:0]
column_px = (ws_right - ws_left) / ws_columns
at_x(j) = ws_left + (j + 0.5) * column_px
at_y(i) = ws_top + (i + 0.5) * ws_row_px
plot $rows using (ws_right + 6):(at_y(column(1))):(text(2)) with labels left font ",10" textcolor rgb ink, \
     $columns using (at_x(column(1))):(ws_bottom + 4):(text(2)) with labels rotate by 90 right font sprintf(",%g", ws_column_font) textcolor rgb ink
unset border
if (ws_columns_in_tree_order > 0) {
    plot $strip using (at_x(column(1))):(ws_top - ws_strip_px / 2):(column_px / 2):(ws_strip_px / 2 - 1):2 with boxxyerror fs solid 1.0 noborder lc rgb variable, \
         $group_key using (column(1) + 5):(ws_note_top - 48 - column(2)):(5):(5):3 with boxxyerror fs solid 1.0 noborder lc rgb variable, \
         $group_key using (column(1) + 14):(ws_note_top - 48 - column(2)):(text(4)) with labels left font ",10" textcolor rgb ink
} else {
    plot $groups using (at_x(column(1))):(ws_top - 4):((column(2) - column(1)) * column_px):(0) with vectors nohead lw 1.2 lc rgb "#888888", \
         $groups using (column(1) > 0 ? at_x(column(1)) : NaN):(ws_top - 7):(0):(ws_bottom - ws_top + 7) with vectors nohead lw 1.4 lc rgb "#ffffff", \
         $groups using ((at_x(column(1)) + at_x(column(2))) / 2):(ws_top - 13):(text(3)) with labels center font ",10" textcolor rgb ink
}
unset multiplot
