# What is missing fails by name, with what to do.
TMPDIR=/nowhere/at/all GNUPLOT=/no/gnuplot "$WARPSCAPE" doctor | grep FAILED
exit "${PIPESTATUS[0]}"
