/* launch_value.h - single values of the types in a launch file: parsing, printing and comparison. */
#ifndef WS_LAUNCH_VALUE_H
#define WS_LAUNCH_VALUE_H

#include "collect/ptx/module.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_VALUE_BYTES = 40 }; /* enough for any value as text */

/* Returns the type of that name if a launch file can contain its values: u8..u64 s8..s64 b8..b64 f16 bf16 f32 f64; else
 * WS_T_NONE. */
ws_type ws_value_type(const char *text, size_t length);

/* Returns the size of one value in bytes. */
size_t ws_value_bytes(ws_type type);

/* Parses text[0..length). Integers are decimal or 0x... and must fit the type; a negative one fits a b type. Floats are
 * decimal, inf or nan with or without a sign, hexadecimal with a binary exponent (0x1.8p3), or 0x... without an
 * exponent: the raw bits. A decimal with a point or exponent in b32 or b64 is an f32 or f64. Returns NULL on success,
 * else the expected form: "a value of type u8 (0 to 255)". */
const char *ws_value_parse(ws_type type, const char *text, size_t length, uint64_t *bits);

/* Formats the value in the syntax of a launch file, floats with as many digits as needed. Returns text. */
char *ws_value_print(ws_type type, uint64_t bits, char text[WS_VALUE_BYTES]);

/* Convert a value to a double (exact except for 64-bit integers), and a double to the nearest value: ties to even,
 * integers truncated towards zero and wrapped. */
double ws_value_to_double(ws_type type, uint64_t bits);
uint64_t ws_value_from_double(ws_type type, double value);

/* Returns whether two values are equal. Exact: the same bits, or both NaN. With a tolerance: |value - wanted| <= within
 * or <= relative * |wanted|. */
bool ws_value_same(ws_type type, uint64_t bits, uint64_t wanted, double within, double relative);

/* Load and store one value in little-endian memory. */
uint64_t ws_value_load(ws_type type, const void *memory);
void ws_value_store(ws_type type, void *memory, uint64_t bits);

#endif
