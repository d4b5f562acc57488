# Puts faults into a file: the first file is a list of NUMBER and a line of places.awk, with tabs between, one a line of
# the second file. Each fault stands beside what it changes, and the environment chooses (mutant.h).
# usage: awk -f plant.awk FAULTS FILE.c > COPY.c

BEGIN { FS = "\t" }
NR == FNR { number[$3] = $1; first[$3] = $4; last[$3] = $5; form[$3] = $7; mutated[$3] = $9; next }
FNR == 1 { print "#include \"tests/mutants/mutant.h\"\n#line 1" }
FNR in number {
    original = substr($0, first[FNR], last[FNR] - first[FNR] + 1)
    fault = form[FNR] == "drop" ? "{ if (!ws_mutant(" number[FNR] ")) " original " }" : \
        "(ws_mutant(" number[FNR] ") ? (" mutated[FNR] ") : (" original "))"
    print substr($0, 1, first[FNR] - 1) fault substr($0, last[FNR] + 1)
    next
}
{ print }
