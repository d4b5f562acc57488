/* counts.c - see counts.h. Columns are ratios as often as counts; their products are exact but for rounding. */
#include "model/mechanism/roofline/counts.h"

#include <math.h>

enum { PER_THOUSAND = 1000 };

typedef struct row {
    const ws_frame *frame;
    const double *value;
} row;

static double of(const row *r, const char *name)
{
    const long at = ws_frame_find_column(r->frame, name);
    return at < 0 ? NAN : r->value[at];
}

/* Thread instructions of a class, by their number in a thousand. */
static double threads(const row *r, const char *rate)
{
    return of(r, "evaluation_thread_instr") * of(r, rate) / PER_THOUSAND;
}

/* Instructions of products stand among those of floats and integers, too; their work is that of the products. */
static double without_products(const row *r, double operations, const char *products)
{
    return fmax(0, operations - threads(r, products));
}

bool ws_roofline_count(const ws_frame *frame, size_t at, ws_roofline_counts *out)
{
    const row r = {frame, frame->value + at * frame->columns};
    const double flop =
        without_products(&r, threads(&r, "mix_float_ops") * (1 + of(&r, "mix_fma")), "matrix_float_ops");
    const double twice = of(&r, "mix_fp64");
    ws_roofline_counts c = {
        .instructions = of(&r, "evaluation_warp_instr"),
        .single = flop * (1 - twice),
        .twice = flop * twice,
        .special = threads(&r, "mix_special_ops"),
        .integer = without_products(&r, threads(&r, "mix_integer_ops"), "matrix_integer_ops"),
#define MATRIX_KIND(name, meaning) .product[WS_MATRIX_##name] = threads(&r, "matrix_" #name),
        WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
            .passes =
            of(&r, "evaluation_warp_shd") > 0 ? of(&r, "evaluation_warp_shd") * of(&r, "coal_bank_passes") : 0,
        .stored = of(&r, "pka_coalesced_global_stores"),
        .touched = of(&r, "footprint_sectors"),
    };
    c.asked = of(&r, "pka_coalesced_global_loads") + c.stored + of(&r, "pka_coalesced_local_loads");
    c.read = c.touched > 0 ? c.touched * of(&r, "footprint_read") : 0;
    c.moved = c.read + (c.touched > 0 ? c.touched * of(&r, "footprint_written") : 0);
    c.passing = c.read + c.stored;
    *out = c;
    for (unsigned i = 0; i < WS_MATRIX_KINDS_END; i++)
        if (!isfinite(c.product[i]))
            return false;
    return isfinite(c.instructions + c.single + c.twice + c.special + c.integer + c.passes + c.asked + c.moved);
}
