# Another program under the same name: named with launch and numbers; nothing is written until a rule chooses.
mkdir a b
for i in a b; do
    cat > $i/k.ptx <<END
.version 7.0
.target sm_70
.address_size 64
.visible .entry k() { .reg .u32 %r; $([ $i = b ] && echo 'mov.u32 %r, 1;') ret; }
END
    echo 'launch k' > $i/one.launch
    (cd $i && "$WARPSCAPE" exec --db x.db k.ptx one.launch)
done
cp a/x.db again.db
"$WARPSCAPE" merge a/x.db b/x.db again.db -o c.db; echo "status $?"
"$WARPSCAPE" merge b/x.db again.db a/x.db -o c.db; echo "status $?"
ls
for rule in first last; do
    "$WARPSCAPE" merge a/x.db b/x.db --prefer $rule -o $rule.db
    "$WARPSCAPE" launches --db $rule.db | cut -d, -f1-3,14,15
done
# Both in one file: the second is a repetition.
(cd b && cp ../a/x.db both.db && "$WARPSCAPE" exec --db both.db k.ptx one.launch)
"$WARPSCAPE" merge b/both.db a/x.db -o both.db
"$WARPSCAPE" runs --db both.db | cut -d, -f1-8
