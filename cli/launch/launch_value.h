/* launch_value.h - single values of the types that a launch file names: from text to bits, back, and compared. */
#ifndef WS_LAUNCH_VALUE_H
#define WS_LAUNCH_VALUE_H

#include "collect/ptx/module.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_VALUE_BYTES = 40 }; /* room for any value as text */

/* The type of that name if values of it can be written: u8..u64 s8..s64 b8..b64 f16 bf16 f32 f64; else WS_T_NONE. */
ws_type ws_value_type(const char *text, size_t length);

/* Bytes of one value. */
size_t ws_value_bytes(ws_type type);

/* Reads text[0..length). Whole numbers are decimal or 0x... and have to fit the type; a negative one fits a b type.
 * Floats are decimal, inf or nan with a sign or without, hexadecimal with a binary exponent (0x1.8p3), or 0x... without
 * one: the bits themselves. A decimal with a point or exponent in b32 or b64 is an f32 or f64. NULL when it went well,
 * else what was expected: "a value of type u8 (0 to 255)". */
const char *ws_value_parse(ws_type type, const char *text, size_t length, uint64_t *bits);

/* The value as the launch file would write it; floats with as many digits as they need. Returns text. */
char *ws_value_print(ws_type type, uint64_t bits, char text[WS_VALUE_BYTES]);

/* The value as a double (exact but for 64-bit integers), and the nearest value of a double: ties to even, integers cut
 * towards zero and wrapped. */
double ws_value_to_double(ws_type type, uint64_t bits);
uint64_t ws_value_from_double(ws_type type, double value);

/* Are two values the same? Exactly: the same bits, or both NaN. With a tolerance: |value - wanted| <= within or
 * <= relative * |wanted|. */
bool ws_value_same(ws_type type, uint64_t bits, uint64_t wanted, double within, double relative);

/* Loads and stores one value in little-endian memory. */
uint64_t ws_value_load(ws_type type, const void *memory);
void ws_value_store(ws_type type, void *memory, uint64_t bits);

#endif
