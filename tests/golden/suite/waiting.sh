# Workloads whose blocks wait for one another run when they are asked for, and count the same with one worker.
for i in 1 2; do "$WARPSCAPE" suite run --scale tiny --waiting -j 1 --db $i.db 2>&1 | sed 's/,.*//'; done
for i in 1 2; do "$WARPSCAPE" metrics --db $i.db --set all | grep -v '^#' >$i.csv; done
cmp 1.csv 2.csv && echo 'the same'
"$WARPSCAPE" suite list --waiting | cut -d, -f1-5
"$WARPSCAPE" suite run --scale tiny --db 1.db --waiting MM 2>&1 | sed -n 1p
