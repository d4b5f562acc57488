# `help x` is `x --help`, for every command.
for command in $($WARPSCAPE --list-commands); do
    [ "$($WARPSCAPE help $command)" = "$($WARPSCAPE $command --help)" ] || echo "$command differs"
done
