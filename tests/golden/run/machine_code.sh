# unsanitized: nothing is preloaded with sanitizers; tests/unit/test_preload.c goes through the same code.
# A library of machine code is named once, and what it could not compute is no success, whether or not the program
# looks.
blas=$(dirname "$WARPSCAPE")/tests/preload/standin_blas
"$WARPSCAPE" run -n blas "$blas" blas 2>&1 | sed 's|warpscape: /.*/|warpscape: |'
"$WARPSCAPE" run -n blas "$blas" blas >/dev/null 2>&1
echo "status $?"
"$WARPSCAPE" run -n table "$blas" table 2>&1 | sed 's|warpscape: /.*/|warpscape: |'
"$WARPSCAPE" run -n unused "$blas" 2>&1 | sed 's|warpscape: /.*/|warpscape: |'
"$WARPSCAPE" run -n unused "$blas" >/dev/null 2>&1
echo "status $?"
