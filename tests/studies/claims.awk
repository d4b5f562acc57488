# claims.awk - what the claims of every study are written with: `awk -f claims.awk -f STUDY_claims.awk`. Rows of claims
# go to `rows_to` (standard output when it is empty), frames of figures are dir/NAME.csv.

function row(claim, thesis, here, holds) {
    printf "| %s | %s | %s | %s |\n", claim, thesis, here,
        holds ? "yes" : "no" > (rows_to == "" ? "/dev/stdout" : rows_to)
}
# table_head HEAD [FILE]: the first line of a table and the rule below it.
function table_head(head_line, file,    n) {
    n = gsub(/[|]/, "|", head_line) - 1
    while (n-- > 0) head_rule = head_rule " --- |"
    print head_line "\n|" head_rule > (file == "" ? "/dev/stdout" : file)
    head_rule = ""
}
# open_frame NAME LABELS COLUMNS UNIT: names of both are between commas.
function open_frame(name, labels, columns, unit,    n, column, i, file) {
    file = dir "/" name ".csv"
    n = split(columns, column, ",")
    print "# warpscape frame 1" > file
    for (i = 1; i <= n; i++) print "# column " column[i] " unit=" unit > file
    print "# labels: " split(labels, column, ",") "\n" labels (labels == "" ? "" : ",") columns > file
}
