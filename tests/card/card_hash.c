/* card_hash.c - what is left of a form's results to compare? A hash in which every NaN of a float type is the same, and
 * one of the bits as they are. */
#include "card.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* Floats of these bits; above `infinity`, without the sign, are NaNs. */
typedef struct {
    const char *name;
    unsigned bits, floats;
    uint64_t infinity;
} float_type;

static const float_type float_types[] = {
    {"f16", 16, 1, 0x7c00},     {"f16x2", 16, 2, 0x7c00},  {"bf16", 16, 1, 0x7f80},
    {"f32", 32, 1, 0x7f800000}, {"bf16x2", 16, 2, 0x7f80}, {"f64", 64, 1, UINT64_C(0x7ff0000000000000)},
};

static const float_type *find_float(const char *name)
{
    for (size_t i = 0; i < sizeof float_types / sizeof *float_types; i++)
        if (!strcmp(float_types[i].name, name))
            return &float_types[i];
    return NULL;
}

/* The word with all NaNs of its floats as one: no sign, all other bits set. */
static uint64_t canonical(const float_type *type, uint64_t word)
{
    const uint64_t magnitude = (UINT64_C(1) << (type->bits - 1)) - 1;
    for (unsigned k = 0; k < type->floats; k++) {
        const unsigned at = k * type->bits;
        if ((word >> at & magnitude) > type->infinity)
            word = (word & ~(UINT64_C(1) << (at + type->bits - 1))) | magnitude << at;
    }
    return word;
}

static bool is_nan_there(const float_type *type, uint64_t word)
{
    const uint64_t magnitude = (UINT64_C(1) << (type->bits - 1)) - 1;
    for (unsigned k = 0; k < type->floats; k++)
        if ((word >> k * type->bits & magnitude) > type->infinity)
            return true;
    return false;
}

void card_hash(const card_form *form, uint64_t *results, char *text, size_t size)
{
    const size_t bytes = form->threads * form->outputs.count * sizeof *results;
    const uint64_t exact = XXH64(results, bytes, 0);
    bool nan = false;
    for (unsigned j = 0; j < form->outputs.count; j++) {
        const float_type *type = find_float(form->outputs.type[j]);
        for (uint64_t *word = results + j * form->threads; type && word < results + (j + 1) * form->threads; word++) {
            nan = nan || is_nan_there(type, *word);
            *word = canonical(type, *word);
        }
    }
    if (nan)
        snprintf(text, size, "%016llx %016llx", (unsigned long long)XXH64(results, bytes, 0),
                 (unsigned long long)exact);
    else
        snprintf(text, size, "%016llx", (unsigned long long)exact);
}
