cp "$TOP"/docs/examples/protocols.* .
$WARPSCAPE claims protocols.csv protocols.ini
# A frame by name, from standard input, and another for a named one.
printf '[frame theirs]\n[claim A]\nclaim = a\ndirection = theirs.cycles[workload=HS, protocol=tc] > cycles[workload=HS, protocol=gtsc]\n' >named.ini
$WARPSCAPE claims - named.ini --frame theirs=protocols.csv --format md <protocols.csv
# A frame that the file itself names, numbers that are labels, another name of an axis.
printf 'bench,T,time\nBH,1,10\nBH,2,6\nNW,1,8\nNW,2,9\n' >steps.csv
cat >steps.ini <<'END'
[frame]
file = steps.csv
axes = T
rename = bench workload
[sets]
steps = 1 2
[claim falls]
claim = Time falls
ours = {list(time):%g}; {T[time[workload=NW] > 8]}
direction = all(differences(time[T in steps] over T) < 0)
why = Not of NW.
[claim built]
claim = 1 and 2 steps
unjudged = by construction
END
$WARPSCAPE claims steps.ini
$WARPSCAPE claims --functions | head -n 3
# Numbers of a file of settings.
cat >energy.ini <<'END'
[l1]
read = 20 pJ   ; of a line
write = 30 pJ
[name]
text = no number
END
cat >settings.ini <<'END'
[frame tech]
file = energy.ini
[claim energy]
claim = Writes cost more
ours = {list(tech.value[section=l1]):%g}
direction = tech.value[section=l1, name=write] > tech.value[section=l1, name=read]
END
$WARPSCAPE claims settings.ini | grep -v '^#'
# The folder of a sweep; the rows of one label, and the same claims over others.
mkdir sweep
sed -e 's/^workload/scale,workload/; s/^# labels: 3/# labels: 4/; /^[A-Z]/s/^/tiny,/' protocols.csv >sweep/frame.csv
sed -n 's/^\([A-Z].*\),[^,]*$/small,\1,1000/p' protocols.csv | sed 's/,gtsc,\([0-9]*\)/,gtsc,1\1/' >>sweep/frame.csv
sed -e '/^numbered/a [frame]\nlabels of workload = class\nonly = scale=tiny' protocols.ini >both.ini
printf '[again small]\nonly = scale=small\nomit = P2 P4\n' >>both.ini
$WARPSCAPE claims sweep both.ini | grep -v '^#'
$WARPSCAPE claims sweep both.ini --table small
# Blocks of points of a sweep, each with axes of its own, as frames.
cat >blocks.csv <<'END'
# labels: 4
points,run,T,workload,cycles
bare,I4,NA,NA,10
bare,K4,NA,NA,12
steps,NA,1,BH,5
steps,NA,2,BH,4
END
cat >blocks.ini <<'END'
[frame]
only = points=bare
[frame steps]
only = points=steps
[claim falls]
claim = Time falls with T
ours = {list(steps.cycles[workload=BH]):%g}; I4 {cycles[run=I4]:%g}
direction = all(differences(steps.cycles over T) < 0) and cycles[run=I4] < cycles[run=K4]
END
$WARPSCAPE claims blocks.csv blocks.ini | grep -v '^#'
