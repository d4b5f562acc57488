# curves.gp - panels side by side, each with its key above.
set multiplot
set xrange [ws_x_low:ws_x_high]
set xtics ws_x_step
set grid ytics lc rgb pale lw 0.6 lt 1
panel_px = (ws_right - ws_left) / ws_panels
do for [p = 1:ws_panels] {
    a = ws_first[p]
    b = ws_last[p]
    set lmargin at screen sx(ws_left + (p - 1) * panel_px + 62)
    set rmargin at screen sx(ws_left + p * panel_px - 16)
    set yrange [ws_low[p]:ws_low[p] + (ws_high[p] - ws_low[p]) * 1.06]
    set label 997 ws_x_title at graph 0.5, screen sy(ws_bottom + title_x_px) center textcolor rgb ink
    set label 998 ws_axis[p] at screen sx(ws_left + (p - 1) * panel_px + title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
    if (b > a || ws_banded[p]) {
        set key at screen sx(ws_left + (p - 1) * panel_px + 62), screen sy(ws_top - ws_head + 10) left top Left reverse samplen 1.6 spacing 1.1 textcolor rgb ink font ",10"
    } else {
        unset key
    }
    if (ws_banded[p]) {
        plot $bands index (p - 1) using 1:2:3 with filledcurves fc rgb pale title ws_band_name[p], \
             for [j = a:b] $lines index (j - 1) using 1:2 with linespoints lw 1.6 pt ws_marker[j] ps mark * 0.6 lc rgb ws_color[j] title ws_name[j]
    } else {
        plot for [j = a:b] $lines index (j - 1) using 1:2 with linespoints lw 1.6 pt ws_marker[j] ps mark * 0.6 lc rgb ws_color[j] title ws_name[j]
    }
    eval drawn_once
}
unset multiplot
