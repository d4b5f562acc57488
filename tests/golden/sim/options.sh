# Every option with its value; what is set shows; files of GPGPU-Sim say what is ignored.
"$WARPSCAPE" sim --options --config gtsc --protocol tc-weak --set l1.ways=2 --set 'chip.core_clock=1 GHz' >options.csv
grep -E '^(option|chip.sms|chip.core_clock|l1.ways|coherence.protocol|network.vcs|latency.sfu)' options.csv
# all of machine.def, once
sed -n 's/^\(NUMBER\|WORD\|KIND\)( \([a-z0-9]*\), \([a-z0-9_]*\),.*/\2.\3/p' "$TOP/model/machine/machine.def" |
    sort >wanted
cut -d, -f1 options.csv | sort >got
[ "$(wc -l <wanted)" -gt 90 ] && comm -23 wanted got
uniq -d got
