#!/usr/bin/env bash
# Do the steps of the Dockerfile make something that works? Where there is a daemon docker does them; else they are done
# here one after another in roots of Debian that mmdebstrap makes: FROM copies one, RUN and COPY do what they say,
# ENTRYPOINT is run at the end.  usage: check_dockerfile.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d /var/tmp/warpscape-docker-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
end() { # end PASSED FAILED
    echo "dockerfile: $1 passed, $2 failed"
    exit "$2"
}
sees() { grep -q 'MM  *tiny: right result' "$work/said"; }
if docker info >/dev/null 2>&1; then
    docker build -q -t warpscape-test . && docker run --rm warpscape-test suite run --scale tiny MM >"$work/said" 2>&1
    sees || { cat "$work/said"; end 0 1; }
    end 1 0
fi
if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap >/dev/null || ! mmdebstrap --quiet --variant=minbase bookworm \
    "$work/base" >"$work/log" 2>&1; then
    echo 'left out: no docker daemon, and no root can be made here (root and mmdebstrap are needed)'
    end 0 0
fi
cp /etc/resolv.conf /etc/hosts "$work/base/etc/"
echo 'note: no docker daemon; the steps are done in roots made by mmdebstrap'
git ls-files -z | tar --null -T - -c | { mkdir "$work/context" && tar -x -C "$work/context"; }
root="" place=/ step=0 entry=""
within() { env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    DEBIAN_FRONTEND=noninteractive \
    unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" sh -c "$1"' "$root" \
        "cd '$place' && $1"; }
copy() { # copy [--from=STAGE] SOURCE... TARGET
    local from=$work/context target=${*: -1}
    [[ $1 != --from=* ]] || { from=$work/stage-${1#--from=}; shift; }
    [[ $target == /* ]] || target=$place/$target
    set -- "${@:1:$#-1}"
    mkdir -p "$root$target"
    for source; do
        if [ -d "$from/$source" ]; then cp -a "$from/$source/." "$root$target/"; else cp -a "$from/$source" \
            "$root$target/"; fi || return 1
    done
}
do_step() { # do_step INSTRUCTION WORDS
    local word=$1
    shift
    case $word in
    FROM)
        root=$work/stage-${3:-last} place=/
        [ "$1" = debian:12-slim ] && cp -a "$work/base" "$root"
        ;;
    RUN) within "$*" ;;
    COPY) copy "$@" ;;
    WORKDIR) place=$1 && mkdir -p "$root$place" ;;
    ENTRYPOINT) entry=$(tr -d '[]",' <<<"$*") ;;
    CMD) ;;
    *) echo "$word: not known here" && false ;;
    esac
}
while read -r -u 3 word rest; do
    step=$((step + 1))
    # shellcheck disable=SC2086
    if [ "$word" = RUN ]; then do_step RUN "$rest"; else do_step "$word" $rest; fi >"$work/log" 2>&1 ||
        { echo "wrong: step $step: $word $rest"; tail -n 40 "$work/log"; end $((step - 1)) 1; }
done 3< <(grep -v '^#' Dockerfile | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' | grep .)
within "$entry suite run --scale tiny MM" >"$work/said" 2>&1
sees || { cat "$work/said"; end "$step" 1; }
end $((step + 1)) 0
