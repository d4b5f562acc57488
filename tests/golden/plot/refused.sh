# Each line fails with one message: status 1, and no file is left.
try() { $WARPSCAPE plot "$@" 2>&1; echo "$?"; }
cp "$GOLDEN/suite.csv" .
try scree nothing.csv -o s.svg
try dendrogram suite.csv --k 9 -o s.svg
try scores suite.csv --x 1 --y 1 -o s.svg
try scores suite.csv --y 99 -o s.svg
try scores suite.csv --subspace XX -o s.svg
try profile suite.csv --columns I_fop,nothing -o s.svg
try profile suite.csv --columns I_fop,I_glo -o s.svg
try curves suite.csv --columns I_fop -o s.svg
grep -v '^M[MT]\|^PR\|^SLA\|^BFS\|^[HN]' suite.csv >one.csv
try dendrogram one.csv -o s.svg
sed 's/^MM,[^,]*/MM,NA/' suite.csv >hole.csv
try scores hole.csv -o s.svg
sed 's/^MT,[^,]*,[^,]*/MT,1,text/' suite.csv >text.csv
try heatmap text.csv -o s.svg
try traffic suite.csv -o s.svg
try network suite.csv -o s.svg
sed 's/,reply,/,sideways,/' "$GOLDEN/traffic.csv" >sideways.csv
try traffic sideways.csv -o s.svg
sed 's/,20000,4000,/,20000,0,/' "$GOLDEN/traffic.csv" >moment.csv
try traffic moment.csv -o s.svg
sed 's/cycles,noc/cycle,noc/' "$GOLDEN/network.csv" >nothing.csv
try network nothing.csv -o s.svg
try bars suite.csv -o s.svg
printf 'a,b,x\n1,2,3\n' | sed 's/^1,2/p,q/; s/3/-3/' >below.csv
try bars below.csv --stack -o s.svg
printf '# column y unit=ratio\na,x,y\np,3,0.5\n' >unlike.csv
try bars unlike.csv --stack -o s.svg
try heatmap suite.csv --width 200 -o s.svg
try scores suite.csv --height 120 -o s.svg
printf 'a,x\np,NA\n' >hollow.csv
try bars hollow.csv -o s.svg
: >empty.csv
try scree empty.csv -o s.svg
try scree suite.csv -o nowhere/s.svg
rm *.csv
ls
