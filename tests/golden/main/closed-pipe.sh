# A reader that has seen enough ends the program silently.
set -o pipefail
$WARPSCAPE help | head -n 1 >/dev/null
[ $? -eq 0 ] || [ $? -eq 141 ] && echo quiet
