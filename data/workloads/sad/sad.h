/* sad.h - what both sides of SAD agree on: the search window, the launch, and where which sums stand. */
#ifndef WS_SAD_H
#define WS_SAD_H

enum {
    SAD_MACROBLOCK = 16, /* pixels */
    SAD_SQUARE = 4,
    SAD_RANGE = 16, /* vectors reach so far in each direction */
    SAD_WINDOW = 2 * SAD_RANGE + 1,
    SAD_POSITIONS = SAD_WINDOW * SAD_WINDOW,
    SAD_ROOM = 1096, /* positions, rounded up to a multiple of 8; those behind the last one are 0 */
    SAD_EACH = 18,   /* positions of a thread */
    SAD_THREADS = (SAD_POSITIONS + SAD_EACH - 1) / SAD_EACH,
    SAD_LANES = 32,
    SAD_QUARTERS = 4
};

/* Parts of a macroblock by width x height; the value says how many parts of a macroblock stand in front. */
enum {
    SAD_16x16 = 0,
    SAD_16x8 = 1,
    SAD_8x16 = 3,
    SAD_8x8 = 5,
    SAD_8x4 = 9,
    SAD_4x8 = 17,
    SAD_4x4 = 25,
    SAD_PARTS = 41
};

#endif
