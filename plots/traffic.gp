# traffic.gp - two panels, requests and replies, with nodes from top to bottom and time to the right; the scale at the right.
set multiplot
set border 0
unset ytics
set yrange [ws_nodes - 0.5:-0.5]
set xrange [0:ws_end / ws_unit]
set xtics ws_x_step scale 0.5 out nomirror offset 0,0.3 textcolor rgb ink
# From white to a dark blue, evenly in lightness, so that print in grey keeps the order.
set palette defined (0 "#ffffff", 1 "#e6f2dd", 2 "#bce0c4", 3 "#7cc7be", 4 "#3fa2bd", 5 "#2474ac", 6 "#1f4a8c", 7 "#14245c")
set cbrange [0:ws_most]
set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 front fs empty border rgb "#555555" lw 0.8
do for [p = 0:1] {
    left_px = ws_first + p * (ws_panel + ws_gap)
    set lmargin at screen sx(left_px)
    set rmargin at screen sx(left_px + ws_panel)
    set label 1 (p ? "replies, L2 to SMs" : "requests, SMs to L2") at screen sx(left_px), screen sy(ws_top - 11) left font (ws_panel < 110 ? ",8" : ",11") textcolor rgb ink
    set label 2 ws_x_title at screen sx(left_px + ws_panel / 2), screen sy(ws_bottom + title_x_px) center textcolor rgb ink
    if (p) {
        set colorbox user vertical origin screen sx(ws_right + 14), screen sy(ws_bottom) size screen 10 / ws_width, screen (ws_bottom - ws_top) / ws_height
        set cbtics ws_rate_step scale 0.3 offset -0.6,0 font ",9" textcolor rgb ink
        set label 3 "bytes/cycle" at screen sx(ws_right + 14), screen sy(ws_top - 11) left font ",9" textcolor rgb ink
    }
    plot $cells index p using (($1 + $2) / 2 / ws_unit):3:($1 / ws_unit):($2 / ws_unit):($3 - 0.5):($3 + 0.5):4 with boxxyerror fs solid 1.0 noborder lc palette, \
         $borders using (0):(column(1) - 0.5):(ws_end / ws_unit):(0) with vectors nohead lw 0.8 lc rgb "#555555"
    unset colorbox
    eval drawn_once
}
unset object 1
unset label 1
unset label 2
unset label 3

# Names of nodes: a plot in pixels over the whole page.
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
unset xtics
set xrange [0:ws_width]
set yrange [ws_height:0]
plot $nodes using (ws_first - 6):(ws_top + (column(1) + 0.5) * (ws_bottom - ws_top) / ws_nodes):(text(2)) with labels right font ",9" textcolor rgb ink
unset multiplot
