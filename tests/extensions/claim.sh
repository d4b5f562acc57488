# A claim of the study: docs/adding.md.
change cli/study/study_claims.c 's/^        claim_later\};/        claim_later, claim_toy};/'
fails 'claim_toy' build
change cli/study/study_claims.c \
    's/^int ws_study_make_claims/static int claim_toy(ws_study *s)\
{\
    return add(s, "Toys", "many", judge(s->claims > 0), "%zu", s->claims);\
}\
\
&/'
fails 'Toys' golden tests/golden/study/tiny.sh
change tests/golden/study/tiny.stdout.exact 's/^Power of the cores$/&\nToys/'
passes golden tests/golden/study/tiny.sh
