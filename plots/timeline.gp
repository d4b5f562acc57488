# timeline.gp - panels from top to bottom over one time axis; strips of colours for modes; keys at the right.
set multiplot
set xrange [ws_begin:ws_end]
set grid ytics lc rgb pale lw 0.6 lt 1
do for [k = 1:ws_keys] {
    set object 100 + k rectangle from screen sx(ws_right + 10), screen sy(ws_top + ws_key_y[k] + 10) to screen sx(ws_right + 20), screen sy(ws_top + ws_key_y[k]) fs solid 1.0 noborder fc rgb ws_key_color[k]
    set label 100 + k ws_key_name[k] at screen sx(ws_right + 25), screen sy(ws_top + ws_key_y[k] + 5) left font ",10" textcolor rgb ink
}
do for [p = 1:ws_panels] {
    set tmargin at screen sy(ws_top + ws_top_of[p])
    set bmargin at screen sy(ws_top + ws_bottom_of[p])
    set label 1 ws_title_of[p] at screen sx(ws_left), screen sy(ws_top + ws_top_of[p] - 8) left font ",10" textcolor rgb ink
    if (p == ws_panels) {
        set xtics autofreq format "%g"
        set label 2 ws_x_title at screen sx((ws_left + ws_right) / 2), screen sy(ws_top + ws_bottom_of[p] + title_x_px) center textcolor rgb ink
    } else {
        set xtics autofreq format ""
    }
    if (ws_strip[p]) {
        unset ytics
        set yrange [0:1]
        set x2range [0:ws_pixels]
        plot NaN, $lines index ws_first[p] using 1:(0.5):1:2:(0):(1):3 axes x2y1 with boxxyerror fs solid 1.0 noborder lc rgb variable
    } else {
        set ytics ws_step[p] nomirror out scale 0.5 format "%g" font ",9"
        set yrange [ws_low[p]:ws_high[p]]
        plot for [j = ws_first[p]:ws_last[p]] $lines index j using 1:2 with lines lw 1.1 lc rgb ws_color[j + 1]
    }
    do for [k = 1:ws_keys] {
        unset object 100 + k
        unset label 100 + k
    }
    eval drawn_once
}
unset multiplot
