# Workloads are programs with options of their own.
MM=$(dirname "$WARPSCAPE")/workloads/MM
$MM --scale tiny --seed 7
$MM --scale large
$MM --seed x
$MM extra
