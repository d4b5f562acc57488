# Every figure is in the gallery: a command that draws it, and its picture. `make pages` runs the commands.
page=$GOLDEN/../../../docs/gallery.md
for figure in $($WARPSCAPE plot --list | cut -d ' ' -f 1); do
    grep -q "^\$ warpscape \(plot $figure \|.* --figure $figure\.svg\)" "$page" ||
        echo "no command draws $figure in docs/gallery.md"
    grep -q "(img/gallery-$figure\.svg)" "$page" && [ -s "$GOLDEN/../../../docs/img/gallery-$figure.svg" ] ||
        echo "docs/gallery.md has no picture of $figure (make gallery)"
done
# and it has no figure that is none
sed -n 's/^\$ warpscape plot \([a-z]*\) .*/\1/p' "$page" | while read -r figure; do
    $WARPSCAPE plot --list | grep -q "^$figure " || echo "there is no figure $figure"
done
echo looked
