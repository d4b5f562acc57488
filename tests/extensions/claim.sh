# A claim of the study: docs/adding.md.
change data/claims/study.ini \
    's/^\[figure map\]/[claim toys]\nclaim = Toys\ntheirs = many\nours = {size(workload)}\ndirection = size(workload) > 0\n\n&/'
fails 'Toys' golden tests/golden/study/tiny.sh
change tests/golden/study/tiny.stdout.exact 's/^Power of the cores$/&\nToys/' 's/^      1  direction $/      2  direction /'
passes golden tests/golden/study/tiny.sh
