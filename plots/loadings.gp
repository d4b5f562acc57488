# loadings.gp - a panel a component, its strongest characteristics as bars.
set multiplot
unset ytics
set border 1
set xrange [-1.08 * ws_strongest:1.08 * ws_strongest]
set yrange [ws_bars - 0.4:-0.6]
set xtics ws_strongest > 0.6 ? 0.5 : ws_strongest > 0.25 ? 0.2 : 0.1 font ",9"
set format x "%g"
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lt 1 lc rgb "#555555" lw 0.8
column_px = (ws_right - ws_left) / ws_across
do for [p = 1:ws_panels] {
    col = (p - 1) % int(ws_across)
    row = (p - 1) / int(ws_across)
    set lmargin at screen sx(ws_left + col * column_px + ws_names + 14)
    set rmargin at screen sx(ws_left + (col + 1) * column_px - 14)
    set tmargin at screen sy(ws_top + row * ws_panel_px + ws_head_px)
    set bmargin at screen sy(ws_top + (row + 1) * ws_panel_px - ws_foot_px)
    set label 1 ws_panel[p] at graph 0.5, screen sy(ws_top + row * ws_panel_px + 13) center font ",11" textcolor rgb ink
    set label 2 "loading" at graph 0.5, screen sy(ws_top + (row + 1) * ws_panel_px - ws_foot_px + 33) center textcolor rgb ink
    plot $bars index (p - 1) using ($2 / 2):1:(abs($2) / 2):(0.36):3 with boxxyerror fs solid 1.0 noborder lc rgb variable, \
         $bars index (p - 1) using (-1.08 * ws_strongest):1:(text(4)) with labels right offset -0.6,0 font ",9.5" textcolor rgb ink
    eval drawn_once
}
unset multiplot
