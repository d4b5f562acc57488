# What cannot be merged is named, and leaves nothing.
try() { "$WARPSCAPE" merge "$@" 2>&1; echo "status $?"; }
"$WARPSCAPE" suite run --scale tiny --db a.db MM 2>/dev/null
echo 'workload,cycles' > frame.csv
: > empty.db
sqlite3 other.db 'create table t(x)'
cp a.db newer.db
sqlite3 newer.db 'pragma user_version=99'
cp a.db damaged.db
sqlite3 damaged.db "update launch set grid_x = grid_x + 1"
cp a.db trigger.db
sqlite3 trigger.db 'create trigger t after insert on run begin delete from run; end'
mkdir folder
mkfifo pipe
for file in absent.db frame.csv empty.db other.db newer.db damaged.db trigger.db folder pipe; do
    try a.db $file -o c.db
done
try a.db -o a.db
try a.db -o nowhere/c.db
try a.db -o /dev/null
: > c.db-wal
try a.db -o c.db
rm c.db-wal
(ulimit -f 64; try a.db -o c.db)
ls
