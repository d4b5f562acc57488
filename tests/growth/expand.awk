# expand.awk - writes the PTX file, launch file or file of claims of one shape of shapes.txt with n of what grows.
# usage: awk -v shape=NAME -v n=N -v ptx=FILE -v launch=FILE -v claims=FILE -f expand.awk shapes.txt

# #-2, #+1, # are numbers beside the one of the line; $ is n.
function written(text, i,    out, at, offset) {
    gsub(/\$/, n, text)
    out = ""
    while (match(text, /#([-+][0-9])?/)) {
        at = substr(text, RSTART, RLENGTH)
        offset = substr(at, 2) + 0
        out = out substr(text, 1, RSTART - 1) (i + offset)
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

# Many at once: awk is slow at writing.
function repeat(text, first, step, between,    i, k, line) {
    line = ""
    for (k = 0; k < n; k++) {
        i = first + step * k
        line = line (k ? between : "") written(text, i)
        if (k % 64 == 63) {
            printf "%s", line > out
            line = ""
        }
    }
    print line > out
}

function open_kernel() {
    print ".visible .entry k()\n{\n.reg .pred %p; .reg .b32 %x; .reg .b64 %y;\nmov.u32 %x, 0;\nsetp.ne.u32 %p, %x, 0;" \
        > out
    opened = 1
}

/^#/ || !NF { next }
$1 == "shape" {
    on = $2 == shape
    next
}
!on { next }
{
    if (!begun++) {
        print ".version 7.8\n.target sm_80\n.address_size 64" > ptx
        of_claims = $1 == "claims:"
        of_launch = $1 == "launch:"
        out = of_claims ? claims : of_launch ? launch : ptx
        if (of_launch)
            print ".global .b32 g[16];\n.visible .entry k()\n{\nret;\n}" > ptx
        else
            print "launch k" > launch
    }
    text = $0
    if ($1 == "launch:" || $1 == "claims:")
        next
    if ($1 == "k:")
        open_kernel()
    else if (text ~ /^\* /)
        repeat(substr(text, 3), 0, 1, "\n")
    else if (text ~ /^\*r /)
        repeat(substr(text, 4), n - 1, -1, "\n")
    else if (text ~ /^\*, /)
        repeat(substr(text, 4), 0, 1, ",")
    else if (text ~ /^\*_ /)
        repeat(substr(text, 4), 0, 1, "")
    else
        print written(text, 0) > out
}
END {
    if (!of_launch && !of_claims) {
        if (!opened)
            open_kernel()
        print "ret;\n}" > ptx
    }
}
