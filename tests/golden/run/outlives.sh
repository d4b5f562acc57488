# A process that the program leaves behind in CUDA is waited for; one that begins to use it when all is over is not
# recorded.
app=$(dirname "$WARPSCAPE")/programs/app
cat > script <<'S'
#!/bin/sh
"$1" work 1 1
(while [ ! -e over ]; do sleep 0.05; done; "$1" work 2 1; echo "late: $?" > late) &
S
chmod +x script
"$WARPSCAPE" run ./script "$app" 2>&1
touch over
until [ -s late ]; do sleep 0.05; done
cat late
"$WARPSCAPE" launches | wc -l
