/* guess.h - spelling suggestion for an unknown word.
 *
 *     ws_guess guess = ws_guess_of(text);
 *     for (...) ws_guess_see(&guess, word);
 *     if (guess.best) ... "did you mean '%s'?"
 *
 * The suggestion is the word with the least edit distance (V. Levenshtein, 1966). The distance must be less than a
 * third of the letters of the text plus one: three for most words. */
#ifndef WS_GUESS_H
#define WS_GUESS_H

#include <stddef.h>

typedef struct ws_guess {
    const char *text;
    const char *best; /* NULL: no word is close */
    size_t least;     /* only smaller distances count */
} ws_guess;

ws_guess ws_guess_of(const char *text);
void ws_guess_see(ws_guess *guess, const char *word);

#endif
