# A frame for a terminal, for a page, for a parser; and each format of the commands that print text else.
"$WARPSCAPE" suite run --scale tiny --lines MM 2>log
for format in table md; do
    "$WARPSCAPE" metrics --columns simd_efficiency,coal_load_efficiency --format $format
done
"$WARPSCAPE" metrics --set all --per launch --definitions --format json | python3 -m json.tool >frame.json &&
    tail -5 frame.json
"$WARPSCAPE" metrics --set all --per launch --definitions >frame.csv
python3 - <<'EOF'
import csv, json
frame = json.load(open("frame.json"))
lines = list(csv.reader(line for line in open("frame.csv") if not line.startswith("#")))
cells = [json.dumps(value) for row in frame["rows"] for value in row.values()]
same = [cell.strip('"') == text or cell == "null" and text == "NA" or float(cell) == float(text) for cell, text in zip(cells, lines[1])]
print(len(frame["columns"]) == len(lines[0]) - 4, list(frame["rows"][0]) == lines[0], all(same))
EOF
for format in json csv md table; do
    "$WARPSCAPE" summary --format $format >summary.$format &&
        "$WARPSCAPE" annotate --format $format >annotate.$format &&
        "$WARPSCAPE" diff --format $format --all frame.csv frame.csv >diff.$format
done
for command in summary annotate diff; do
    python3 -m json.tool $command.json >json && wc -l <$command.table
done
"$WARPSCAPE" metrics --format xml
