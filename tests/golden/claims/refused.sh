cp "$TOP"/docs/examples/protocols.csv .
try() { $WARPSCAPE claims "$@" 2>&1 >/dev/null | head -n 1; }
# claims LINE...: a file of one claim with these lines.
claims() {
    printf '[claim A]\nclaim = a\n' >a.ini
    printf '%s\n' "$@" >>a.ini
    try protocols.csv a.ini
}
try
try a b c
try nowhere.csv nowhere.ini
try --counts --frame a=b page.md
try --check protocols.csv a.ini
try --counts --table t page.md
try --figures protocols.csv a.ini
try --table= protocols.csv a.ini
try --functions x
claims
claims 'direction = cycles[workload=HS] > 1'
claims 'direction = bytes[workload=STN, protocol=tc] > 1'
claims 'direction = mean(bytes[protocol=tc]) > 1'
claims 'direction = 1' 'why = x'
claims 'direction = 1 >' 
claims 'direction = 2 > 1' 'direction = 1 > 2'
claims 'direction = 2 > 1' 'colour = red'
claims 'direction = 2 > 1' 'value.theirs = 2'
claims 'direction = 2 > 1' 'value.theirs = 2' 'of = ratio'
claims 'direction = 2 > 1' 'value.theirs = 2' 'of = weight' 'value.ours = 3'
claims 'direction = 2 > 1' 'value.theirs = 2' 'of = order' 'value.ours = 3'
# A yes cannot be a loss.
claims 'direction = 2 > 1' 'value.theirs = 1.2' 'of = ratio' 'value.ours = 0.9'
claims 'direction = 2 > 1' 'value.theirs = -5' 'of = difference' 'value.ours = 0'
claims 'direction = 2 > 1' 'value.theirs = 1' 'of = ratio' 'value.ours = 1.1'
claims 'direction = 2 > 1' 'size = within 0.5'
claims 'direction = 2 > 1' 'size = within 2'
claims 'direction = 2 > 1' 'ours = {cycles'
claims 'direction = 2 > 1' 'ours = {mean(cycles):%q}'
claims 'direction = 2 > 1' 'ours = {mean(cycles):percent}'
claims 'direction = 2 > 1' 'ours = {cycles[protocol=tcc]}'
claims 'direction = 2 > 1' 'ours = {cyles}'
claims 'direction = 2 > 1' '[claim A]' 'claim = b'
claims 'direction = 2 > 1' '[clam B]'
claims 'direction = 2 > 1' 'nonsense'
claims 'direction = 2 > 1' '[let]' 'x = y' 'y = x' '[claim B]' 'claim = b' 'direction = x > 1'
claims 'direction = 2 > 1' '[frame b]'
claims 'direction = 2 > 1' '[sets]' 'two = HS HS'
claims 'direction = 2 > 1' '[sets]' '2nd = HS'
# What would do nothing.
claims 'direction = 2 > 1' 'unjudged = not here'
claims 'size = none' 'unjudged = not here'
claims 'unjudged ='
claims 'direction = 2 > 1' '[names workload]' 'HS = a' 'HS = b'
claims 'direction = 2 > 1' '[names workload]' 'HX = a'
claims 'direction = 2 > 1' '[names work]' 'HS = a'
claims 'direction = 2 > 1' '[sets]' 'two = HS BH' '[names two]' 'HS = a' 'STN = b'
claims 'direction = 2 > 1' '[frame]' 'labels of workload = clas'
claims 'direction = 2 > 1' '[frame]' 'rename = protocol workload'
claims 'direction = 2 > 1' '[table claims]' 'head = a'
claims 'direction = 2 > 1' '[table b]' 'head = a' '[again b]' 'only = protocol=tc'
claims 'direction = 2 > 1' 'ours = {mean(cycles):%5s}'
printf '  continued\n' >a.ini && try protocols.csv a.ini
printf 'x = y\n' >a.ini && try protocols.csv a.ini
printf '[claim A]\nclaim = a\ndirection = 2 > 1\n' >a.ini
try protocols.csv a.ini --frame c=protocols.csv
printf '<!-- a claims: begin -->\n' >page.md && try protocols.csv a.ini --page page.md
printf 'text\n' >page.md && try protocols.csv a.ini --page page.md
try protocols.csv a.ini --page nowhere.md
try --counts a.ini --page page.md
printf '<!-- a claims: begin -->\n| claim |\n<!-- a claims: end -->\n' >page.md && try --counts page.md
printf '<!-- a claims: begin -->\n| verdict |\n| --- |\n| no |\n| yes |\n<!-- a claims: end -->\n' >page.md &&
    try --counts page.md
# table LINE...: the same with a table t.
table() {
    printf '[table t]\n' >t.ini
    printf '%s\n' "$@" >>t.ini
    printf '<!-- t t: begin -->\n<!-- t t: end -->\n' >page.md
    try protocols.csv t.ini --page page.md
}
table 'rows = workload'
table 'rows = cycles' 'column = a | {cycles}'
table 'rows = workload' 'column = a'
table 'rows = workload' 'column = a | {cycles}' 'row = x | y'
table 'rows = workload' 'where = cycles > 1' 'column = a | {cycles}'
table 'rows = workload' 'column = a | {bytes}'
table 'row = a'
table 'head = a' 'row = b' 'where = 1 < 2'
figure() {
    printf '[figure f]\n' >f.ini
    printf '%s\n' "$@" >>f.ini
    try protocols.csv f.ini --page page.md
}
figure 'title = a'
figure 'kind = bars'
figure 'kind = bar' 'rows = workload' 'column = a | cycles[protocol=tc]'
figure 'kind = bars' 'rows = workload' 'column = a | cycles'
figure 'kind = bars' 'rows = workload' 'column = a | bytes[protocol=tc]'
figure 'kind = bars' 'frame = b'
figure 'kind = bars' 'frame =' 'digits = 2'
figure 'kind = bars' 'frame =' 'column = a | 1'
figure 'kind = bars' 'rows = workload' 'column = a | cycles[protocol=tc]' 'top = 2'
figure 'kind = curves' 'rows = workload' 'column = a | cycles[protocol=tc]' 'stack = yes'
figure 'kind = bars' 'rows = workload' 'column = a | cycles[protocol=tc]' 'cut = 1'
figure 'kind = scores' 'frame =' 'variance ='
GNUPLOT=/nowhere/gnuplot figure 'kind = bars' 'rows = workload' 'column = a | cycles[protocol=tc]'
figure 'kind = bars' 'rows = workload' 'column = a | cycles[protocol=tc]' 'width = wide'
mkdir empty
try empty a.ini
again() {
    printf '[claim A]\nclaim = a\ndirection = 2 > 1\n[again b]\n' >b.ini
    printf '%s\n' "$@" >>b.ini
    try protocols.csv b.ini --table b
}
again
again 'only = protocol'
again 'only = scale=tiny'
again 'only = protocol=mesi'
again 'only = protocol=tc' 'omit = B'
again 'only = protocol=tc' 'why = x'
claims 'direction = 2 > 1' '[frame b]' 'only = protocol=none' 'file = protocols.csv'
printf '[frame b]\nonly = protocol=tc\n' >c.ini && try c.ini
