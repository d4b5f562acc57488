# splice_page.awk - a page with another table between "<!-- STUDY PART: begin" and "<!-- STUDY PART: end". usage: awk -v
# study=STUDY [-v part=PART] -v file=TABLE [-v head=HEAD -v verdict=N] -f splice_page.awk PAGE
# A table of claims (verdict: its column that says "yes" or "no", from 2 on; the first column is the claim) has HEAD,
# and its last column keeps the words that the page has for the same claim.
BEGIN { mark = "<!-- " study (part == "" ? "" : " " part) ":" }
index($0, mark " begin") == 1 {
    print
    if (verdict) print head
    inside = 1
    next
}
index($0, mark " end") == 1 {
    while ((getline line < file) > 0) {
        split(line, f, " *[|] *")
        print verdict ? line " " (f[verdict] == "no" ? words[f[2]] : "") " |" : line
    }
    inside = 0
}
inside {
    split($0, f, " *[|] *")
    if (verdict && f[verdict + 1] != "") words[f[2]] = f[verdict + 1]
    next
}
{ print }
