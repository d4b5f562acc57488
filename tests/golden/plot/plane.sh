# One component may hold all the variance that is asked for; a plane needs two. Names that crowd lose their middle.
$WARPSCAPE plot scores "$GOLDEN/suite.csv" --variance 0.01 -o one.gp && grep -c '^ws_[xy]_title' one.gp
awk -F, 'BEGIN { print "w,a,b,c";
    for (i = 0; i < 30; i++) printf "row_%d_with_a_name_that_is_much_too_long_for_a_plot,%g,%g,%g\n", i, sin(i) / 9,
    cos(i * i) / 9, i == 3 }' |
    $WARPSCAPE plot scores - --pcs 2 -o long.gp && grep -c '^ws_text.*…' long.gp
awk 'BEGIN { print "w,a,b,c";
    for (i = 0; i < 4; i++) printf "row_%d_with_a_name_that_is_much_too_long_for_a_star,%d,%d,%d\n", i, i, 5 - i,
    i * i }' |
    $WARPSCAPE plot profile - -o star.gp && grep '^ws_text.*…' star.gp | cut -d "'" -f 2
