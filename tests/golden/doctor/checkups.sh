# Each checkup of a working installation, without what depends on the machine.
"$WARPSCAPE" doctor 2>/dev/null | sed 's/: .*//; /compiler of CUDA/d'
"$WARPSCAPE" doctor 2>/dev/null | grep -c 'its result is right'
