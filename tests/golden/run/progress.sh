# On a terminal, while the program's own output goes elsewhere: launches, warp instructions and how many a second, the
# kernel that runs; wiped at the end. Elsewhere nothing of it.
app=$(dirname "$WARPSCAPE")/programs/app
cat >terminal.py <<'EOF'
import os, pty, re, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT), 1)
    os.execv(sys.argv[1], sys.argv[1:])
shown, asked = b"", False
try:
    while part := os.read(terminal, 4096):
        shown += part
        if shown.count(b"\x1b[K") >= 3 and not asked:
            asked = os.write(terminal, b"\3")
except OSError:
    pass
print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
lines = shown.split(b"\r\x1b[K")
for line in lines[1:3]:
    print(re.sub(rb"[0-9.]+ ?[kMG]?", b"N ", line.split(b"\r\n")[0]).decode())
print("wiped" if re.search(rb"\r\x1b\[K(\^C)?(\r\n)?warpscape run", shown) or lines[-1].startswith(b"warpscape run") else lines[-2:])
EOF
python3 terminal.py "$WARPSCAPE" run -j 1 "$app" endless
. "$TOP/tests/runners/computed.sh"
env --default-signal=INT "$WARPSCAPE" run -j 1 --db other.db "$app" endless >out 2>log &
computed "$(child $! app)" 150 # several lines on a terminal
kill -INT $!
wait $!
echo "status $?"
sed 's|[0-9][0-9]*|N|g' log
