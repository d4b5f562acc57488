for arguments in '' 'a.ptx' 'a.ptx b.launch c' '--set study a b' '--set new --db x a b' '-j 0 a b' \
    '--max-instructions x a b' '--coverage' '--coverage -j 2 a' '--interleave x a b' '--interleave 1 -j 2 a b' \
    '--turns x a b' '--turns stores --interleave 1 a b' '--list --turns stores a'; do
    # shellcheck disable=SC2086
    "$WARPSCAPE" exec $arguments
    echo "exit status $?"
done 2>&1
