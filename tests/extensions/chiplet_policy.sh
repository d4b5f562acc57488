# A way in which L2s of several chips agree: docs/adding-simulator.md.
table=model/chiplets/chiplet_policies.def file=model/chiplets/chiplet_policy_toy.c
change $table '$a POLICY( toy, TOY )'
fails 'ws_chiplet_policy_toy' build
copy model/chiplets/chiplet_policy_boundary.c $file 's/boundary/toy/'
fails 'toy does what boundary does' unit chiplet_l2
# All operate when one has to.
change $file \
    's/\(void\)table;/const uint32_t all = table->acquires ? everyone : 0;/' \
    's/\.acquires = everyone/.acquires = all/' \
    's/^    \.operates/    .by_table = true,\n&/'
passes unit chiplet_l2
fails 'docs/simulator*.md does not say what package.coherence = toy is' unit kinds
change docs/simulator-memory.md 's/^\| `hmg` \| L2s.*/&\n| `toy` | all operate when one has to |/'
passes unit kinds
passes check rows
passes build
