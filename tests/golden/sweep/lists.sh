# Labels from files: lines with further labels, of which the last takes the rest; frames (sample lists); bad lines.
printf '# name, class, options\nMM private\n\nGS shared --set l1.ways=8   # as there\nHS private --set l1.ways=4 --set l1.mshrs=32\n' >list.txt
cat >study.ini <<'END'
[plan]
command = sim --config gtsc {workload.options} --suite {workload}
[axes]
workload = @list.txt
[labels workload class options]
END
echo 'BP = private' >>study.ini
$WARPSCAPE sweep study.ini --dry-run 2>&1
sed -i '$d' study.ini
echo '[exclude]' >>study.ini
echo '1 = class=private workload=MM' >>study.ini
$WARPSCAPE sweep study.ini --list | grep -v '^#' | cut -d, -f1,3
printf '# warpscape frame 1\n# labels: 3\nworkload,kernel,mangled,launch,weight\nMM,a,a,1,2\nMM,a,a,2,1\nGS,b,b,1,1\n' >chosen.csv
printf '[plan]\ncommand = sim --launches chosen.csv --suite {workload}\n[axes]\nworkload = @chosen.csv\n' >chosen.ini
$WARPSCAPE sweep chosen.ini --list | grep -v '^#' | cut -d, -f1,3
try() { printf "$1" >bad.txt; $WARPSCAPE sweep bad.ini --dry-run 2>&1 | head -n 1; }
printf '[plan]\ncommand = sim {a}\n[axes]\na = x @bad.txt\n[labels a one two three]\nx = 1 2 3\n' >bad.ini
try 'y 1 2\nz 1'
try 'y 1 2\n\ny 2 1'
try 'y|z 1 2'
try 'y\001 1 2'
try '# warpscape frame 1\n# labels: 1\na,b\nb c,2\n'
try '# warpscape frame 1\n# labels: 1\na,b\nb,c\n'
