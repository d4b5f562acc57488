# tornado.gp - panels side by side, rows from top to bottom; blue: the low end, vermillion: the high end.
set multiplot
unset ytics
set yrange [ws_rows - 0.5:-0.5]
set grid xtics lc rgb pale lw 0.6 lt 1
key_px = ws_width - ws_left > 250 ? ws_left : 8
panel_px = (ws_right - ws_left) / ws_panels
set object 1 rectangle from screen sx(key_px), screen sy(ws_top - 8) to screen sx(key_px + 10), screen sy(ws_top - 18) fs solid 1.0 noborder fc rgb "#0072B2"
set object 2 rectangle from screen sx(key_px + 130), screen sy(ws_top - 8) to screen sx(key_px + 140), screen sy(ws_top - 18) fs solid 1.0 noborder fc rgb "#D55E00"
set label 1 "at the low end" at screen sx(key_px + 15), screen sy(ws_top - 13) left font ",10" textcolor rgb ink
set label 2 "at the high end" at screen sx(key_px + 145), screen sy(ws_top - 13) left font ",10" textcolor rgb ink
do for [p = 1:ws_panels] {
    left_px = ws_left + (p - 1) * panel_px
    set lmargin at screen sx(left_px)
    set rmargin at screen sx(left_px + panel_px - ws_gap)
    set xrange [ws_low[p]:ws_high[p]]
    set xtics ws_step[p] format "%g" font ",9"
    set label 3 ws_name[p] at screen sx(left_px + (panel_px - ws_gap) / 2), screen sy(ws_bottom + title_x_px) center textcolor rgb ink
    set arrow 1 from first ws_is[p], graph 0 to first ws_is[p], graph 1 nohead lc rgb "#555555" lw 0.8
    plot $bars index (p - 1) using 2:1:2:3:($1 - 0.38):($1 + 0.38):4 with boxxyerror fs solid 1.0 noborder lc rgb variable
    unset object 1
    unset object 2
    unset label 1
    unset label 2
    eval drawn_once
}
unset label 3
unset arrow 1

# Names of rows: a plot in pixels over the whole page.
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set border 0
unset xtics
unset grid
set xrange [0:ws_width]
set yrange [ws_height:0]
plot $names using (ws_left - 8):(ws_top + (column(1) + 0.5) * (ws_bottom - ws_top) / ws_rows):(text(2)) with labels right font ",10" textcolor rgb ink
unset multiplot
