# What is no program that libraries can be put in front of is said before anything runs. The ELF headers are made by
# hand.
elf() { printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0'; printf "$1"; head -c "${2:-44}" /dev/zero; }
elf '\2\0\267\0\1\0\0\0' 100 > arm
elf '\2\0\267\0\1\0\0\0' 4 > short
{ printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\3\0\1\0\0\0'; head -c 44 /dev/zero; } > old
{ elf '\2\0\76\0\1\0\0\0' 28; printf '\100\0\70\0\0\0\0\0\0\0\0\0'; } > static
echo hello > text
: > empty
mkdir folder
chmod +x arm short old static text empty
: > locked
for p in ./arm ./old ./static ./text ./empty ./folder ./locked ./nothing nothing.at.all; do
    "$WARPSCAPE" run $p
    echo "$p: status $?"
done 2>&1
[ ! -e warpscape.db ] || echo "a results file was made"
