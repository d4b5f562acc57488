#!/usr/bin/env bash
# Do the steps of the Dockerfile, or of apptainer.def, make something that works? Where docker has a daemon, or apptainer
# is installed, it does them; else they are done here one after another in roots of Debian that mmdebstrap makes: FROM
# copies one, RUN and COPY do what they say, ENTRYPOINT is run at the end.
# usage: check_dockerfile.sh [Dockerfile|apptainer.def]
set -u
cd "$(dirname "$0")/../.." || exit 1
recipe=${1:-Dockerfile} name=dockerfile
[ "$recipe" = Dockerfile ] || name=apptainer
work=$(mktemp -d /var/tmp/warpscape-docker-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
end() { # end PASSED FAILED
    echo "$name: $1 passed, $2 failed"
    exit "$2"
}
sees() { grep -q 'MM  *tiny: right result' "$work/said"; }
if [ $name = apptainer ] && command -v apptainer >/dev/null; then
    apptainer build --force "$work/warpscape.sif" "$recipe" >"$work/log" 2>&1 &&
        apptainer run "$work/warpscape.sif" suite run --scale tiny --db "$work/x.db" MM >"$work/said" 2>&1
    sees || { tail -n 40 "$work/log"; cat "$work/said"; end 0 1; }
    end 1 0
fi
if [ $name = dockerfile ] && docker info >/dev/null 2>&1; then
    docker build -q -t warpscape-test . && docker run --rm warpscape-test suite run --scale tiny MM >"$work/said" 2>&1
    sees || { cat "$work/said"; end 0 1; }
    end 1 0
fi
if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap >/dev/null || ! mmdebstrap --quiet --variant=minbase bookworm \
    "$work/base" >"$work/log" 2>&1; then
    echo "note: left out: no docker daemon and no apptainer, and no root can be made here (root and mmdebstrap are needed)"
    end 0 0
fi
cp /etc/resolv.conf /etc/hosts "$work/base/etc/"
echo "note: no docker daemon, no apptainer: the steps of $recipe are done in roots made by mmdebstrap"
# steps: the recipe as lines of a Dockerfile.
steps() {
    if [ $name = dockerfile ]; then
        grep -v '^#' "$recipe"
        return
    fi
    awk '
        function run() { if (script != "") print "RUN set -e" script; script = "" }
        /^#/ || /^Bootstrap:/ || NF == 0 { next }
        /^From:/ { run(); section = ""; stage = "last"; image = $2; begun = 0; next }
        /^Stage:/ { stage = $2; next }
        /^%/ { run(); section = $1; from = $2 == "from" ? "--from=" $3 " " : ""
            if (!begun++) print "FROM " image " AS " stage
            next }
        section == "%files" { target = $2; sub("/[^/]*$", "/", target); print "COPY " from $1 " " target "+" $2 }
        section == "%post" { line = $0; more = sub(/\\$/, "", line); script = script (joined ? " " : "; ") line; joined = more }
        section == "%runscript" { print "ENTRYPOINT " $2 }' "$recipe"
}
git ls-files -z | tar --null -T - -c | { mkdir "$work/context" && tar -x -C "$work/context"; }
root="" place=/ step=0 entry=""
within() { env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    DEBIAN_FRONTEND=noninteractive \
    unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" sh -c "$1"' "$root" \
        "cd '$place' && $1"; }
copy() { # copy [--from=STAGE] SOURCE... TARGET
    local from=$work/context target=${*: -1}
    [[ $1 != --from=* ]] || { from=$work/stage-${1#--from=}; shift; }
    if [[ $target == *+* ]]; then # of apptainer, where a folder takes the name of the target, and a file stands in its folder
        [ -d "$from/$1" ] && target=${target#*+} || target=${target%%+*}
    fi
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
done 3< <(steps | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' | grep .)
within "$entry suite run --scale tiny MM" >"$work/said" 2>&1
sees || { cat "$work/said"; end "$step" 1; }
end $((step + 1)) 0
