# One typing error: the close names are offered.
"$WARPSCAPE" suite run MK
