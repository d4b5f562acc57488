# profile.gp - everything is placed in pixels.
set border 0
unset xtics
unset ytics
set xrange [0:ws_width]
set yrange [ws_bottom - ws_top:0]
plot $web using 1:2 with lines lw 0.6 lc rgb pale, \
     for [i = 1:ws_stars] $stars index (i - 1) using 1:2 with filledcurves closed fs transparent solid 0.3 noborder lc rgb ws_color[i], \
     for [i = 1:ws_stars] $stars index (i - 1) using 1:2 with lines lw 1.3 lc rgb ws_color[i], \
     $axes using 1:2:(text(3)) with labels center font ",8" textcolor rgb "#555555", \
     $titles using 1:2:(text(3)) with labels center font ",10.5" textcolor rgb ink, \
     $key using 1:2:(text(3)) with labels left font ",10" textcolor rgb ink
