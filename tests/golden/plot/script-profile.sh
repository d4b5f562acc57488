# The script of the figure, data and drawing, as bytes.
$WARPSCAPE plot profile "$GOLDEN/suite.csv" --k 3 --columns I_fop,D_bra,R_0 -o figure.gp && cat figure.gp
