# A figure: docs/adding.md.
change plots/plots.def '$a FIGURE( toy, "toys of each component", REDUCE | TOP, 0 )'
fails 'toy.gp' build
copy plots/scree.gp plots/toy.gp 's/^# scree/# toy/'
fails 'prepare_toy' build
change cli/cmd_plot.c \
    's/^\/\* A plane needs two components/static int prepare_toy(job *j, ws_plot_request *r)\
{\
    return prepare_scree(j, r);\
}\
\
&/'
fails 'ws_figure_toy' build
copy plots/figure_scree.c plots/figure_toy.c 's/figure_scree/figure_toy/'
fails 'toy' unit plot
change tests/unit/test_plot.c 's/^    \{"scree", \{/    {"toy", {"principal component", "variance explained"}},\n&/'
fails 'every_axis_has_a_title' unit plot # from which frame do tests draw it?
change tests/unit/plot_inputs.h 's/= !strcmp\(figure, "scree"\) /= !strcmp(figure, "scree") || !strcmp(figure, "toy") /'
passes unit plot
fails 'toy' golden tests/golden/plot/gallery.sh
change docs/gallery.md \
    's/^### loadings$/### toy\
\
```console\
$ warpscape plot toy features.csv -o toy.svg\
```\
\
![Toys](img\/gallery-toy.svg)\
\
&/'
cp docs/img/gallery-scree.svg docs/img/gallery-toy.svg
passes golden tests/golden/plot/gallery.sh
passes check rows
