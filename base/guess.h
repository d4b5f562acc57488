/* guess.h - which of some words was meant by one that is none of them?
 *
 *     ws_guess guess = ws_guess_of(text);
 *     for (...) ws_guess_see(&guess, word);
 *     if (guess.best) ... "did you mean '%s'?"
 *
 * The word with the least edit distance (V. Levenshtein, 1966), if that is less than a third of the text's letters and
 * one more: three for most words. */
#ifndef WS_GUESS_H
#define WS_GUESS_H

#include <stddef.h>

typedef struct ws_guess {
    const char *text;
    const char *best; /* NULL: none is close */
    size_t least;     /* distances have to be below */
} ws_guess;

ws_guess ws_guess_of(const char *text);
void ws_guess_see(ws_guess *guess, const char *word);

#endif
