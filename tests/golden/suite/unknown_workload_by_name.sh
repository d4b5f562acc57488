# A part of the full name helps too.
"$WARPSCAPE" suite run reduction
