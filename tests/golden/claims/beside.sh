# Frames beside that of the command line, from any folder; a figure of such frames, with clusters and a tree; a verdict
# that a text replaces only where there is one.
mkdir -p report page/img
cat >report/study.csv <<'END'
# labels: 1
workload,PC1,PC2
A,1,2
B,1.5,2
C,8,1
D,9,4
END
printf '# labels: 1\nworkload,cluster,representative\nA,1,1\nB,1,0\nC,2,1\nD,2,0\n' >report/groups.csv
printf '# labels: 1\ncomponent,share\nPC1,0.75\nPC2,0.25\n' >report/shares.csv
printf '# labels: 1\nstep,left,right,height\n1,-1,-2,0.5\n2,-3,-4,3.2\n3,1,2,8\n' >report/tree.csv
cat >page/study.ini <<'END'
[frame scores]
beside = study.csv
axes = none
[frame groups]
beside = groups.csv
[frame shares]
beside = shares.csv
[frame tree]
beside = tree.csv
[claim pairs]
claim = Clusters of two
ours = {count(groups.cluster == 1)} and {count(groups.cluster == 2)}
direction = all(groups.cluster >= 1)
unjudged = {if(all(groups.cluster == 1), 'by construction', '')}
[claim many]
claim = One cluster or more
direction = max(groups.cluster) < 1
unjudged = {if(max(groups.cluster) > 1, 'by construction', '')}
[figure map]
kind = scores
frame = scores
groups = groups
variance = shares
[figure tree]
kind = dendrogram
frame = scores
groups = groups
tree = tree
cut = mean(tree.height[number(step) >= 2])
heights = distance of {size(shares.share)} components
END
printf '<!-- study claims: begin -->\n<!-- study claims: end -->\n' >page/page.md
$WARPSCAPE claims report/study.csv page/study.ini --page page/page.md
cat page/page.md
ls page/img
# Shares stand at the axes, the cut in the tree.
grep -o 'PC[12] ([^)]*)' page/img/study-map.svg
grep -o '[0-9]* clusters\|distance of [^<]*' page/img/study-tree.svg
# What is wrong is one line.
try() { $WARPSCAPE claims "$@" 2>&1 | head -n 1; }
try - page/study.ini <report/study.csv
try page/study.ini
sed -i 's/^groups = groups/groups = group/' page/study.ini && try report/study.csv page/study.ini --page page/page.md
sed -i 's/^groups = group$/groups = groups/; s/^cut = .*/cut = tree.height/' page/study.ini && try report/study.csv page/study.ini --page page/page.md
rm report/tree.csv && try report/study.csv page/study.ini
printf '[frame a]\nbeside = study.csv\nfile = study.csv\n' >a.ini && try report/study.csv a.ini
cat >a.ini <<'END'
[claim a]
claim = a
unjudged = {if(1 < 2, '', 'x')}
END
try report/study.csv a.ini
