# A trace of each process, with what was selected; replay counts the same.
app=$(dirname "$WARPSCAPE")/programs/app
"$WARPSCAPE" run -q --trace traces -k work "$app" forkfirst work 2 3 empty >/dev/null
ls traces
"$WARPSCAPE" replay traces/app.wst | grep -v '^#' | cut -d, -f1-7
