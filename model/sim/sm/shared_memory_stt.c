/* shared_memory_stt.c - banks of magnetic memory: written whole, or only where bits change, or with writes that end
 * early. */
#include "model/sim/sm/shared_memory_internal.h"

enum { WIDTH, EARLY };

static const ws_option options[] = {
    [WIDTH] = WS_CELLS_WIDTH_OPTION,
    [EARLY] = WS_CELLS_EARLY_OPTION,
    {NULL, NULL, 0, 0, 0, NULL},
};

static void cells(const uint64_t *values, ws_cells *out)
{
    *out = (ws_cells){.width = (uint32_t)values[WIDTH], .early = values[EARLY]};
}

static void form(const uint64_t *values, ws_cells_form *out)
{
    ws_cells_name(out, "stt");
    ws_cells_add(out, "width", values[WIDTH]);
    ws_cells_add(out, "ewt", values[EARLY]);
}

static bool wants_values(const uint64_t *values)
{
    return values[WIDTH] || values[EARLY];
}

static int configure(const ws_shared_setup *s)
{
    return ws_cells_check("shared", s->values[WIDTH], s->values[EARLY]);
}

static ws_shared_time serve(void *state, const ws_shared_setup *s, const ws_shared_access *access)
{
    ws_cells c;
    (void)state;
    cells(s->values, &c);
    return ws_shared_magnetic(s, &c, access);
}

const ws_shared_memory_ops ws_shared_memory_stt = {
    .name = "stt",
    .summary = "magnetic memory, with all that is written to its cells: whole, only where bits change, or ending "
               "early; values are needed for width and ewt",
    .options = options,
    .configure = configure,
    .access = serve,
    .wants_values = wants_values,
    .cells = cells,
    .form = form,
};
