/* rounds.h - how often a test draws. Sanitizers look at code, and a few rounds go through all of it; at results the
 * build without sanitizers looks, in all rounds. */
#ifndef WS_TEST_ROUNDS_H
#define WS_TEST_ROUNDS_H

/* Of n rounds: all, or with sanitizers, which take several times as long, a quarter, at least one. */
static inline unsigned rounds_of(unsigned n)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return (n + 3) / 4;
#else
    return n;
#endif
}

#endif
