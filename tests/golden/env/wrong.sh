# Options that would have no effect are misuse; what every program would refuse is refused at once.
try() { "$WARPSCAPE" env "$@" 2>&1 | grep -v '^Try' || true; echo "exit status ${PIPESTATUS[0]}"; }
try --kernels add
try --unset --workers 2
try --db x.db --kernels '('
try --db /nowhere/x.db
try --format csh
try ./app
