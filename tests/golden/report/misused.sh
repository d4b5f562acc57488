try() { $WARPSCAPE report "$@" >log 2>&1; echo "$?: $(head -n 1 log)"; }
try
try somewhere
try -o report --linkage median
try -o report --k 0
try -o report --sizes 4,x
try -o report --variance 2
try -o report --set new
try -o report --ranks --values
try -o report --set performance --fractions
try -o report --per launch
