# Where the loader takes no name of the folder (blanks, dollars), a link stands for it; quotes need none.
built=$(dirname "$WARPSCAPE")
unset LD_LIBRARY_PATH LD_PRELOAD
for folder in "it's" 'a "b" $HOME; c'; do
    mkdir "$folder" && cp "$WARPSCAPE" "$folder/" && cp -r "$built/lib" "$folder/"
    mkdir -p cache && export XDG_CACHE_HOME=$PWD/cache
    "$folder/warpscape" env | sed "s|$PWD|HERE|g; s/libraries-[0-9a-f]*/libraries-HASH/g" | head -n 2
    for shell in bash dash; do
        $shell -c 'eval "$("$1/warpscape" env)" && "$2/tests/cuda/vectors-13"' $shell "$folder" "$built"
    done
    ! command -v fish >/dev/null || fish -c '"$argv[1]/warpscape" env --format fish | source; "$argv[2]/tests/cuda/vectors-13"' "$folder" "$built" |
        grep -vx PASS
done
ls cache/warpscape | sed 's/[0-9a-f]*$/HASH/'
XDG_CACHE_HOME= HOME="$PWD/no place" "$folder/warpscape" env 2>&1 | sed "s|$PWD|HERE|" || echo "exit status $?"
