# A rule of `summary`: docs/adding.md.
change cli/annotate/rules.def '$a RULE(toy, simd_efficiency, "toys", V(simd_efficiency) > 1, 0.5, SAY("%.1f", V(simd_efficiency)), "fewer toys", 0, 0)'
fails 'rule toy: no case here in which it holds' unit rules
change tests/unit/test_rules.c 's/^        \{"idle_lanes"/        {"toy", {"simd_efficiency"}, {2}},\n&/'
passes unit rules
passes check rows
