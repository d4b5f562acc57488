# Standard input is the program's; so is the exit status, and the summary can be left out.
cat > script <<'S'
#!/bin/sh
read line
echo "read: $line"
"$1" work 1 1
exit 7
S
chmod +x script
echo hello | "$WARPSCAPE" run -q -n mine ./script "$(dirname "$WARPSCAPE")"/programs/app
echo "status $?"
"$WARPSCAPE" launches | cut -d, -f1-3
"$WARPSCAPE" metrics --set study --per launch | grep -v '^#' | cut -d, -f1-5
