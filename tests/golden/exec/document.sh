# The examples of the document do what it says.
cp "$GOLDEN/example.ptx" .
awk '/^```$/ { inside = !inside; n += inside; next } inside { print > ("example" n ".launch") }' \
    "$TOP/docs/launch-file.md"
for i in 1 2; do "$WARPSCAPE" exec example.ptx "example$i.launch"; done
