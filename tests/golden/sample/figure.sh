# What is drawn of a program: every launch with its stratum, those that are chosen with their weights; of one workload.
"$WARPSCAPE" suite run --scale tiny --db x.db KM MT 2>/dev/null
"$WARPSCAPE" sample x.db KM -o list.csv --figure km.gp >/dev/null
sed -n '/^\$launches/,/^EOD/p; /^\$weights/,/^EOD/p' km.gp | awk '{ print (NF > 3 ? $1 " " $2 " " $5 : $0) }'
"$WARPSCAPE" sample x.db -o list.csv --figure x.svg 2>&1
"$WARPSCAPE" sample x.db KM -o list.csv --figure x.doc 2>&1
