# common.gp - settings of all figures; ws_* variables stand above.
ink = "#222222"
pale = "#d9d9d9"
set border 3 lc rgb "#555555" lw 0.8
set tics nomirror out scale 0.5 textcolor rgb ink
set xtics offset 0,0.3
unset key
unset colorbox
set lmargin at screen ws_left / ws_width
set rmargin at screen ws_right / ws_width
set tmargin at screen 1 - ws_top / ws_height
set bmargin at screen 1 - ws_bottom / ws_height
sx(px) = px / ws_width
sy(px) = 1 - px / ws_height
# Titles of axes stand at fixed places, as terminals differ in where they would put them.
title_x_px = 38
title_y_px = 15
# Texts of data blocks: the number in that column is one in the array.
text(c) = ws_text[int(column(c))]
# What the figure leaves out, below it.
do for [k = 1:ws_notes] {
    set label 980 + k ws_note[k] at screen 8.0 / ws_width, screen sy(ws_note_top + 2 + 13 * k) left font ",9" textcolor rgb "#555555"
}
# A figure of several plots says `eval drawn_once` after the first, else the letters lie on each other.
drawn_once = "unset label 999; do for [ws_k = 1:ws_notes] { unset label 980 + ws_k }"
if (strlen(ws_title)) {
    set label 999 ws_title at screen 0.5, screen sy(18) center font sprintf(",%g", ws_title_size) textcolor rgb ink
}
