# What tables of the studies need: the first step at which something holds, cells without a time, means of what ends, names
# of another document, the best run of each workload as a machine of its own, the upper half.
cat >sync.csv <<'END'
# labels: 5
run,machine,form,T,ended,cycles,share
micro,qv100,tree,1,done,100,0.5
micro,qv100,tree,2,done,200,0.5
micro,qv100,tree,4,done,300,0.5
micro,qv100,gsrb,1,done,120,0.5
micro,qv100,gsrb,2,done,190,0.5
micro,qv100,gsrb,4,livelock,NA,NA
bfs,qv100,tree,1,done,100,0.5
bfs,qv100,tree,2,done,100,0.5
bfs,qv100,tree,4,done,300,0.5
bfs,qv100,gsrb,1,done,150,0.5
bfs,qv100,gsrb,2,done,190,0.5
bfs,qv100,gsrb,4,done,200,0.5
END
cat >theirs.csv <<'END'
# labels: 2
configuration,benchmark,time,forced
K4,BarnesHut,1.1,40
K4,BFS,1.3,NA
K4,CC,1.2,10
K4,XX,1.7,12
END
cat >ours.csv <<'END'
# labels: 4
# labels of workload: bench groups
workload,bench,groups,run,time,f,r
BH,BarnesHut,main,K4,1.05,4,4
BFW,BFS,main:bins,K4,1.5,0,0
CCL,CC,sorts,K4,1.1,1,2
SGM,-,main,K4,1.0,3,0
BH,BarnesHut,main,N4,1.3,4,4
BFW,BFS,main:bins,N4,1.2,0,0
CCL,CC,sorts,N4,1.4,1,2
SGM,-,main,N4,1.0,3,0
END
cat >sync.ini <<'END'
[frame theirs]
file = theirs.csv
rename = configuration run
[frame ours]
file = ours.csv
[sets]
Ts = 1 2 4
[let]
time = cycles[ended=done]
saved = 100 * (1 - time[form=gsrb] / time[form=tree])
crossover = min(number(T)[saved > 0, present(saved)] over T) else 'none'
thousands = text(time / 1000, '%.1f') else 'livelock'
ends = present(time)
published = theirs.time[benchmark = (bench)]
forced = (100 * ours.f / (ours.f + ours.r))[ours.f + ours.r > 0]
best = argmin(ours.time over run)
both = (published + ours.time)[run=K4, present(published)]
[claim a]
claim = crossovers
ours = {list(crossover[machine=qv100])}; {list(thousands[form=gsrb, machine=qv100, run=micro])}
direction = 1 < 2
[claim b]
claim = livelock cells
ours = ends {list(join(T[ends] over T)[machine=qv100, form=gsrb])}; not {list(if(all(ends over T), '-', join(T[not ends] over T))[machine=qv100, form=gsrb])}
direction = not all(ends[form=gsrb])
[claim c]
claim = mean of what ends
ours = {list(mean(saved[present(saved)] over T)):%.1f}, {size(saved[present(saved)])} points
direction = 1 < 2
[claim d]
claim = theirs by name
ours = {spearman(published[run=K4, present(published)], ours.time[run=K4]):%.2f} of {size(both)}; {list(published[run=K4, present(published)]):%.1f}
direction = mean(ours.time[run=K4, has(groups, 'main')]) > 1
[claim e]
claim = best run of each, as a machine of its own
ours = {list(best)}; {list(ours.time[run = (best)]):%.2f}; {list(forced[run=K4]):%.0f}; {list(mean(forced over workload)):%.1f}; {count(forced[run=K4] > 40)} of {size(forced[run=K4])}
direction = join(text(ours.time[run = (best)], '%.2f')) == '1.05, 1.20, 1.10, 1.00'
[claim f]
claim = upper half by rank
ours = {list(ours.time[run=K4, rank(-ours.time[run=K4]) <= 2]):%.2f}, all {mean(ours.time[run=K4]):%.2f}
direction = mean(ours.time[run=K4, rank(-ours.time[run=K4]) <= 2]) > mean(ours.time[run=K4])
[table t]
rows = Ts
where = any(present(cycles[T = (Ts)]) over run machine form ended)
column = T | {Ts}
column = gsrb | {thousands[T = (Ts), form=gsrb, machine=qv100]}
END
$WARPSCAPE claims sync.csv sync.ini --format md
$WARPSCAPE claims sync.csv sync.ini --table t
