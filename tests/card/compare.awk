# compare.awk - do forms differ from the card where known.txt says so, and nowhere else?
# usage: awk -f verdicts.awk -f compare.awk EXPECTED GOT [KNOWN]
$1 == "value" || $1 == "nan" { if ($3 == "") { kind[++patterns] = $1; regex[patterns] = regex_of($2) } }

function known_as(name,    i) {
    for (i = 1; i <= patterns; i++)
        if (name ~ regex[i])
            return kind[i]
    return "same"
}

function explain(name, known, found) {
    if (found == "missing")
        return name ": no result"
    if (found == "same")
        return name ": no longer different: remove it from known.txt"
    if (found == "nan")
        return name ": only bits of NaNs differ" (known == "value" ? " now: known.txt says more" : "")
    return name ": differs" (got[name] == "error" ? ", error " got_bits[name] : "")
}

END {
    for (i = 1; i <= forms; i++) {
        name = names[i]
        found = verdict(name)
        known = known_as(name)
        count[found]++
        if (found == "unknown")
            continue
        if (found == known)
            passed++
        else {
            failed++
            print explain(name, known, found)
        }
    }
    printf "note: %d of %d forms give the card's bits, %d differ in bits of NaNs, %d in numbers\n", count["same"],
        forms - count["unknown"], count["nan"], count["value"]
    printf "card: %d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}
