# A workload: docs/adding.md.
change data/workloads/workloads.def '$a WORKLOAD( TOY, toy, "Toy", I, 2, Y, 0.0068, 2.51, 0.0778, "a toy" )'
fails 'workloads/TOY' check workloads
mkdir data/workloads/toy
copy data/workloads/transpose/transpose.cu data/workloads/toy/toy.cu 's/transpose/toy/g'
copy data/workloads/transpose/transpose.ptx data/workloads/toy/toy.ptx 's/transpose/toy/g'
fails 'workloads/TOY' check workloads
copy data/workloads/transpose/transpose.c data/workloads/toy/toy.c \
    's/transpose_and/test_and/; s/transpose/toy/g; s/"MT"/"TOY"/'
passes check workloads
fails 'TOY' golden tests/golden/suite/reuse.sh
change tests/golden/suite/reuse.stdout.exact \
    's/^SRAD2,.*/&\nTOY,Toy,reuse,2,Y/; s/^SRAD2 tiny: .*/&\nTOY  tiny: right result/' \
    's/^SRAD2 sr2_update .*/&\nTOY toy_naive 1\nTOY toy_tiled 1/'
passes golden tests/golden/suite/reuse.sh
