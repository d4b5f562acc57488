#!/usr/bin/env bash
# Measures what the documents claim of power on the model of power: energy of G-TSC against others (Tabbakh, Qian,
# Annavaram, 2018) on simulations of its machine, the cores' share and watts (Goswami, 2013) on profiles. Puts the table
# into docs/reproduction.md, section Power; the last column is written by hand and stays with its claim; ends with 1
# when a claim that does not hold has no such words. Also the loads of Chameleon's study beside ours: a table of
# docs/chameleon.md and its figure.
# usage: reproduce_power.sh PROGRAM
# shellcheck source=tests/studies/reproduction_frame.sh
. "$(dirname "$0")/reproduction_frame.sh"
begin_short_study power "$@"
page=$PWD/docs/reproduction.md loads=$PWD/docs/chameleon.md table=$PWD/data/control/loads.csv \
    figure=$PWD/docs/img/chameleon-loads.svg
cd "$dir"
# Workloads whose threads share what they write: G-TSC's BH CC DLP VPR STN BFS.
shared='BH CCL DLP VPR STN BFW'
# shellcheck disable=SC2086
"$program" suite run --scale tiny --trace traces --profile -d shared.db $shared >/dev/null 2>&1
for protocol in bl tc-weak tc-strong gtsc-sc gtsc-rc; do
    for w in $shared; do
        "$program" sim --config gtsc --protocol "$protocol" -s coherence.polls=0 --power power.csv "traces/$w.wst" \
            >/dev/null
        awk -F, -v run="$protocol" -v w="$w" '
            /^#/ { next }
            !n++ { for (i = 1; i <= NF; i++) name[i] = $i; for (i = 1; i <= NF; i++) at[$i] = i; next }
            {
                s = $at["seconds"]; joules += $at["joules"]; leak += $at["leakage"] * s
                for (i = at["leakage"] + 1; i <= NF; i++) part[name[i]] += $i * s
            }
            END {
                print run, w, "total", joules; print run, w, "leakage", leak
                for (p in part) print run, w, p, part[p]
            }' power.csv >>values
    done
done
"$program" suite run --scale small --profile -d study.db >/dev/null 2>&1
"$program" model power -d study.db --config gtsc >study.csv
awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { for (i = at["leakage"] + 1; i <= NF; i++) { } cores = 0
      split("integer single twice special tensor supply registers shared l1 texture constant", c, " ")
      for (i in c) if (c[i] in at) cores += $at[c[i]]
      print "study", $1, "watts", $at["watts"]; print "study", $1, "cores", cores; print "study", $1, "registers",
          $at["registers"]; print "study", $1, "shared", $at["shared"] }' study.csv >>values
awk -v shared="$shared" -f "$OLDPWD/tests/studies/power_claims.awk" values >claims.md
# Between the marks; words of the last column stay with their claim.
awk -v claims=claims.md '
    /^<!-- power: begin/ { print; inside = 1; next }
    /^<!-- power: end/ {
        inside = 0
        while ((getline line < claims) > 0) {
            split(line, f, " *[|] *")
            print line (line ~ /^\| (---|claim)/ ? "" : f[2] in words ? " " words[f[2]] " |" : " |")
        }
        print; next
    }
    inside { split($0, f, " *[|] *"); if (f[2] != "claim" && f[6] != "") words[f[2]] = f[6]; next }
    { print }' "$page" >page.md
cp page.md "$page"
# Watts of the study's table, and ours at the highest and the lowest level of the same card.
ten=$(awk -F, '!/^#/ && n++ { print $1 }' "$table")
# shellcheck disable=SC2086
"$program" suite run --scale tiny --profile -d ten.db $ten >/dev/null 2>&1
"$program" model power -d ten.db --config renewable --set chip.core_clock=2200MHz >high.csv
"$program" model power -d ten.db --config renewable --set chip.core_clock=1200MHz >low.csv
"$program" model chameleon --list --db ten.db --machine renewable | awk '$1 == "workload" { print $2, $5 }' >rates
awk -F, 'BEGIN {
    print "# warpscape frame 1\n# column table unit=W\n# column highest unit=W\n# column lowest unit=W\n# labels: " \
        "1\nworkload,table,highest,lowest" }
    FILENAME == "rates" { split($0, f, " "); rate[f[1]] = f[2]; next }
    /^#/ { next }
    FILENAME != file { file = FILENAME; for (i = 1; i <= NF; i++) at[$i] = i; next }
    FILENAME == "high.csv" { high[$1] = $at["watts"]; next }
    FILENAME == "low.csv" { low[$1] = $at["watts"]; next }
    { printf "%s,%s,%.1f,%.1f\n", $1, $at["power_w"], high[$1], low[$1]
      printf "| %s | %s | %.0f | %.0f | %s | %.1f |\n", $1, $at["power_w"], high[$1], low[$1], $at["ipc"],
          rate[$1] >"loads.md" }' rates high.csv low.csv "$table" >loads.csv
"$program" plot bars loads.csv -o "$figure" --title 'The ten loads, and ours at the highest and the lowest level'
awk '/^<!-- loads: begin/ {
    print
    print "| workload | table W | ours, highest level | ours, lowest | table instructions a cycle | ours |\n| --- | " \
        "--- | --- | --- | --- | --- |"
        while ((getline line < "loads.md") > 0) print line; inside = 1 }
    /^<!-- loads: end/ { inside = 0 }
    !inside' "$loads" >loads.page
cp loads.page "$loads"
check_words power 5
