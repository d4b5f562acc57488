# An estimator: docs/adding.md.
change cluster/estimator.def '$a ESTIMATOR( toy, toy_slope, 1, 3, "as the difference" )'
fails 'toy_slope' build
change cluster/estimator.c \
    's/^static const struct estimator/static double toy_slope(const moments *m)\
{\
    return difference_slope(m);\
}\
\
&/'
fails 'test_left_out_as_lm' unit estimator
change tests/unit/test_estimator.c 's/1\.99447213939088/&, 3.12304148549774/; s/sxy \/ sxx \/ 1\.1\}/sxy \/ sxx \/ 1.1, 1}/'
passes unit estimator
passes check rows
