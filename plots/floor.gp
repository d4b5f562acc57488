# floor.gp - blocks of a die in their places, coloured by a value; the scale at the right.
set border 0
set xrange [ws_x_low:ws_x_high]
set yrange [ws_y_low:ws_y_high]
set xtics ws_step scale 0.5 out nomirror offset 0,0.3 textcolor rgb ink
set ytics ws_step scale 0.5 out nomirror textcolor rgb ink
set label 997 ws_unit at graph 0.5, screen sy(ws_bottom + title_x_px) center textcolor rgb ink
set label 998 ws_unit at screen sx(title_y_px), graph 0.5 rotate by 90 center textcolor rgb ink
# Evenly in lightness, so that print in grey keeps the order.
set palette defined (0 "#fff7e0", 1 "#fddc9a", 2 "#fbb35a", 3 "#ee8440", 4 "#d2543a", 5 "#a52c3c", 6 "#6b1740")
set cbrange [ws_low:ws_high]
set colorbox user vertical origin screen sx(ws_right + 14), screen sy(ws_bottom) size screen 10 / ws_width, screen (ws_bottom - ws_top) / ws_height
set cbtics ws_value_step scale 0.3 offset -0.6,0 font ",9" textcolor rgb ink
set label 3 ws_value_title at screen sx(ws_right + 80), graph 0.5 rotate by 90 center textcolor rgb ink
plot $blocks using (($1 + $2) / 2):(($3 + $4) / 2):1:2:3:4:5 with boxxyerror fs solid 1.0 noborder lc palette, \
     $blocks using (($1 + $2) / 2):(($3 + $4) / 2):1:2:3:4 with boxxyerror lc rgb "#ffffff" lw 0.8 fs empty, \
     $names using 1:2:(text(4)):3 with labels center font ",9" textcolor rgb variable
