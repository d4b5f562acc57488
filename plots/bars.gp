# bars.gp - bars from left to right, in clusters, panels from top to bottom; the key above, names below.
set multiplot
set xrange [-1:ws_places - 1]
unset xtics
set grid ytics lc rgb pale lw 0.6 lt 1
do for [k = 1:ws_keys] {
    key_top = ws_top - ws_head + 6 + ws_key_pitch * ws_key_y[k]
    set object k rectangle from screen sx(ws_key_x[k]), screen sy(key_top + 10) to screen sx(ws_key_x[k] + 10), screen sy(key_top) fs solid 1.0 noborder fc rgb ws_key_color[k]
    set label 1 + k ws_key_name[k] at screen sx(ws_key_x[k] + 15), screen sy(key_top + 5) left font ",10" textcolor rgb ink
}
do for [p = 1:ws_panels] {
    set tmargin at screen sy(ws_top + ws_top_of[p])
    set bmargin at screen sy(ws_top + ws_bottom_of[p])
    set yrange [ws_low_of[p]:ws_high_of[p]]
    set ytics ws_step_of[p] format "%g"
    set label 1 ws_axis_of[p] at screen sx(title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
    if (p == ws_panels) {
        do for [k = 1:ws_bars] {
            set label 1000 + k ws_bar_name[k] at first ws_bar_at[k], screen sy(ws_bottom + 5) right rotate by 90 font ",10" textcolor rgb ink
        }
        do for [k = 1:ws_clusters] {
            set label 1000 + ws_bars + k ws_cluster_name[k] at first ws_cluster_at[k], screen sy(ws_bottom + ws_foot - 12) center font ",10" textcolor rgb ink
        }
    }
    # A slit in what is cut, and how far it goes.
    do for [k = 1:ws_cuts] {
        if (ws_cut_panel[k] == p) {
            at = ws_cut_at[k]
            end = ws_cut_end[k]
            set arrow k from first at - 0.5, first 0.94 * end to first at + 0.5, first 0.97 * end nohead lw 3 lc rgb "#ffffff" front
            if (end > 0) {
                set label 1000 + ws_bars + ws_clusters + k ws_cut_name[k] at first at, first end left rotate by 90 offset 0,0.4 font ",9.5" textcolor rgb ink
            } else {
                set label 1000 + ws_bars + ws_clusters + k ws_cut_name[k] at first at, first end right rotate by 90 offset 0,-0.4 font ",9.5" textcolor rgb ink
            }
        }
    }
    plot $bars index (p - 1) using 1:2:($1 - 0.42):($1 + 0.42):2:3:4 with boxxyerror fs solid 1.0 noborder lc rgb variable, \
         $whiskers index (p - 1) using 1:2:(0):($3 - $2) with vectors heads size first 0.16,90 lw 1.2 lc rgb ink
    do for [k = 1:ws_cuts] {
        if (ws_cut_panel[k] == p) {
            unset arrow k
            unset label 1000 + ws_bars + ws_clusters + k
        }
    }
    do for [k = 1:ws_keys] {
        unset object k
        unset label 1 + k
    }
    eval drawn_once
}
unset multiplot
