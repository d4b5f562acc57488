# verdicts.awk - what became of each form? Reads expected.txt and then what `card` printed: names in order of expected.txt,
# and of each `same`, `nan` (only bits of NaNs differ), `value`, `missing` or, where nobody knows what a card says, `unknown`.
# Sourced by compare.awk and known.awk, which say what is read third.
ARGIND_FILE != FILENAME { ARGIND_FILE = FILENAME; file++ }
file == 1 { names[++forms] = $1; expected[$1] = $2; expected_bits[$1] = $3; next }
file == 2 { got[$1] = $2; got_bits[$1] = $3; next }

function verdict(name) {
    if (expected[name] == "unknown")
        return "unknown"
    if (!(name in got))
        return "missing"
    if (got[name] != expected[name])
        return "value"
    return got_bits[name] == expected_bits[name] ? "same" : "nan"
}

# A pattern of known.txt, in which * stands for one word between underscores.
function regex_of(pattern) {
    gsub(/\*/, "[^_]*", pattern)
    return "^" pattern "$"
}
