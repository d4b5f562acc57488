# A linkage: docs/adding.md.
change cluster/linkage.def '$a LINKAGE( toy, nearest_chain, DISTANCE, update_toy, "complete", "toys" )'
fails 'update_toy' build
change cluster/linkage.c \
    's/^static const ws_linkage_rule rules/static double update_toy(const ws_pair_of_clusters *p)\
{\
    return higher(p->to_a, p->to_b);\
}\
\
&/'
fails 'test_oracle' unit cluster
for oracle in tests/oracle/statistics_*.oracle.csv; do change "$oracle" '/\.complete,/{p;s/\.complete,/.toy,/}'; done
fails 'test_brute_force' unit cluster
change tests/unit/test_cluster.c \
    's/linkage == WS_LINKAGE_complete \? most/linkage == WS_LINKAGE_complete || linkage == WS_LINKAGE_toy ? most/'
passes unit cluster
passes check rows
