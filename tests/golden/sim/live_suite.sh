# Workloads live: those that wait, too; the rows of all of them; a limit of cycles fails one and not the others.
mkdir temporary && export TMPDIR=$PWD/temporary # no other process leaves anything there
"$WARPSCAPE" sim --protocol mesi --check --suite ccl MM CL 2>log | grep -v '^# c[^h]' | cut -d, -f1-4 |
    sed 's/\(loads of .*\): [1-9][0-9]*/\1: some/'
sed 's/, [0-9.]* s$//' log
"$WARPSCAPE" sim --max-cycles 10000 --suite CCL MM 2>log | grep -v '^#' | cut -d, -f1-4
sed 's/, [0-9.]* s$//' log
"$WARPSCAPE" sim --protocol none --check --suite MM 2>&1 | sed 's/, [0-9.]* s$//'
ls temporary # nothing is left behind
