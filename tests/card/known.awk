# known.awk - writes known.txt anew: its groups stay, with patterns of the forms that differ now. A pattern has stars for
# words as long as no other form has it.
# usage: awk -f verdicts.awk -f known.awk EXPECTED GOT KNOWN
/^#/ { head = head $0 "\n"; next }
$1 == "group" {
    group_kind[++groups] = $2
    group_regex[groups] = $3
    sub(/^group +[^ ]+ +[^ ]+ +/, "")
    group_reason[groups] = $0
}

# The first group that has the form.
function group_of(name, found,    g) {
    for (g = 1; g <= groups; g++)
        if (group_kind[g] == found && name ~ group_regex[g])
            return g
    return 0
}

# Has a form of another group, or of none, this pattern?
function too_wide(pattern, g,    i, regex) {
    regex = regex_of(pattern)
    for (i = 1; i <= forms; i++)
        if (of[names[i]] != g && names[i] ~ regex)
            return 1
    return 0
}

function join(word, n,    i, text) {
    text = word[1]
    for (i = 2; i <= n; i++)
        text = text "_" word[i]
    return text
}

function forms_of(pattern,    i, regex, count) {
    regex = regex_of(pattern)
    for (i = 1; i <= forms; i++)
        count += names[i] ~ regex
    return count
}

# Stars that bring no form are words again.
function widest(name, g,    word, own, n, i, former, count) {
    n = split(name, word, "_")
    split(name, own, "_")
    for (i = n; i > 1; i--) {
        former = word[i]
        word[i] = "*"
        if (too_wide(join(word, n), g))
            word[i] = former
    }
    count = forms_of(join(word, n))
    for (i = 2; i <= n; i++) {
        former = word[i]
        word[i] = own[i]
        if (forms_of(join(word, n)) < count)
            word[i] = former
    }
    return join(word, n)
}

function write_group(g,    i, k, pattern, regex) {
    for (i = 1; i <= forms; i++) {
        if (of[names[i]] != g || covered[names[i]])
            continue
        pattern = widest(names[i], g)
        regex = regex_of(pattern)
        if (!begun[g]++)
            printf "\ngroup %s %s %s\n", group_kind[g], group_regex[g], group_reason[g]
        print group_kind[g], pattern
        for (k = i; k <= forms; k++)
            if (names[k] ~ regex)
                covered[names[k]] = 1
    }
}

END {
    last["value"] = groups + 1
    last["nan"] = groups + 2
    for (i = 1; i <= forms; i++) {
        found = verdict(names[i])
        of[names[i]] = 0
        if (found != "value" && found != "nan")
            continue
        of[names[i]] = group_of(names[i], found)
        if (!of[names[i]])
            of[names[i]] = last[found]
    }
    group_kind[groups + 1] = "value"
    group_kind[groups + 2] = "nan"
    group_regex[groups + 1] = group_regex[groups + 2] = "."
    group_reason[groups + 1] = group_reason[groups + 2] = "not looked into"
    printf "%s", head
    for (g = 1; g <= groups + 2; g++)
        write_group(g)
}
