/* guess.c - see guess.h. */
#include "base/guess.h"

#include <string.h>

enum { LONGEST = 63, MOST_ERRORS = 3 };

/* One row of the table of distances at a time. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(b);
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t change = diagonal + (a[i - 1] != b[j - 1]);
            const size_t skip = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < skip ? change : skip;
        }
    }
    return row[n];
}

ws_guess ws_guess_of(const char *text)
{
    const size_t errors = 1 + strlen(text) / 3;
    return (ws_guess){.text = text, .least = 1 + (errors < MOST_ERRORS ? errors : MOST_ERRORS)};
}

void ws_guess_see(ws_guess *g, const char *word)
{
    if (strlen(g->text) > LONGEST || strlen(word) > LONGEST)
        return;
    const size_t d = distance(g->text, word);
    if (d < g->least && d < strlen(word)) {
        g->least = d;
        g->best = word;
    }
}
