# A program without its workloads beside it says where it looked and what makes them. PREFIX has none in a test.
mkdir bin
cp "$WARPSCAPE" bin/
bin/warpscape suite run 2>&1 | sed 's|in /[^ ]*/bin/|in BIN/|; s|in /[^ ]*/libexec|in PREFIX/libexec|'
exit "${PIPESTATUS[0]}"
