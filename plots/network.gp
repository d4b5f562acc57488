# network.gp - workloads from top to bottom; panels: maximum channel load, latency, nodes that wait. Requests above replies.
set multiplot
array color[2] = ["#0072B2", "#D55E00"]
array word[2] = ["requests", "replies"]
array head[3] = ["maximum channel load", "latency, mean to longest", "nodes that wait to send"]
array foot[3] = ["packets", "network cycles", "mean over time"]
set yrange [ws_rows - 0.5:-0.5]
set border 1 lc rgb "#555555" lw 0.8
unset ytics
set grid xtics lc rgb pale lw 0.6 lt 1
at(d) = column(1) + (d ? 0.17 : -0.17)
do for [p = 0:2] {
    left_px = ws_left + p * (ws_panel + ws_gap)
    set lmargin at screen sx(left_px)
    set rmargin at screen sx(left_px + ws_panel)
    set label 1 head[p + 1] at screen sx(left_px), screen sy(ws_top - 9) left font (ws_panel < 130 ? ",8" : ",11") textcolor rgb ink
    set label 2 foot[p + 1] at screen sx(left_px + ws_panel / 2), screen sy(ws_bottom + title_x_px) center textcolor rgb ink
    if (p < 2) {
        set logscale x 10
        set xtics 10 format "%.0s%c"
        set mxtics 1
    } else {
        unset logscale x
        set xtics ws_stall_step format "%g"
    }
    if (p == 0) { set xrange [ws_load_low:ws_load_high] }
    if (p == 1) { set xrange [ws_latency_low:ws_latency_high] }
    if (p == 2) { set xrange [0:ws_stall_high] }
    if (p == 0) {
        plot for [d = 0:1] $rows using (column(3 + 4 * d)):(at(d)) with points pt (d ? 5 : 7) ps mark * (d ? 0.55 : 0.65) lc rgb color[d + 1]
    }
    if (p == 1) {
        plot for [d = 0:1] $rows using (column(4 + 4 * d)):(at(d)):(column(5 + 4 * d) - column(4 + 4 * d)):(0) with vectors nohead lw 1.4 lc rgb color[d + 1], \
             for [d = 0:1] $rows using (column(4 + 4 * d)):(at(d)) with points pt (d ? 5 : 7) ps mark * (d ? 0.55 : 0.65) lc rgb color[d + 1]
    }
    if (p == 2) {
        plot for [d = 0:1] $rows using (column(6 + 4 * d)):(at(d)):(0):(column(6 + 4 * d)):(at(d) - 0.14):(at(d) + 0.14) with boxxyerror fs solid 1.0 noborder lc rgb color[d + 1], \
             for [d = 0:1] $rows using (column(6 + 4 * d)):(at(d)) with points pt (d ? 5 : 7) ps mark * (d ? 0.55 : 0.65) lc rgb color[d + 1]
    }
    eval drawn_once
}
unset label 1
unset label 2
unset logscale x
unset grid

# Names and the key: a plot in pixels over the whole page.
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set border 0
unset xtics
set xrange [0:ws_width]
set yrange [ws_height:0]
do for [d = 0:1] {
    set label 10 + d word[d + 1] at first ws_left + 12 + 74 * d, first ws_top - 30 left font ",10" textcolor rgb ink
    set label 20 + d "" at first ws_left + 4 + 74 * d, first ws_top - 30 point pt (d ? 5 : 7) ps mark * (d ? 0.55 : 0.65) lc rgb color[d + 1]
}
plot $rows using (ws_left - 8):(ws_top + (column(1) + 0.5) * (ws_bottom - ws_top) / ws_rows):(text(2)) with labels right font ",10" textcolor rgb ink
unset multiplot
