/* fuzz_arguments.c - can any bytes break the reader of files of kernel arguments, is what it accepts what it promises,
 * and does a coherence table survive it? */
#include "base/bytes.h"
#include "base/status.h"
#include "model/chiplets/argument_file.h"
#include "model/chiplets/cct.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHIPLETS = 4, EVERYONE = (1 << CHIPLETS) - 1, FEW_ROWS = 3, FEW_ARGUMENTS = 2, LINE = 64 };

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void check_argument(const ws_chiplet_kernel *k, const ws_chiplet_argument *a)
{
    expect(a->whole.first <= a->whole.last);
    for (unsigned i = 0; i < CHIPLETS && a->ranged; i++) {
        const ws_address_range r = a->range[i];
        expect(ws_range_is_empty(r) || (k->scheduled >> i & 1 && r.first >= a->whole.first && r.last <= a->whole.last));
    }
}

static void check_kernel(const ws_chiplet_kernel *k, size_t number)
{
    expect(k->name && k->launch == number && k->scheduled && !(k->scheduled & ~(uint32_t)EVERYONE));
    for (size_t i = 0; i < k->arguments; i++) {
        check_argument(k, &k->argument[i]);
        for (size_t j = 0; j < i; j++)
            expect(!ws_ranges_overlap(k->argument[i].whole, k->argument[j].whole));
    }
}

static void check_rows(const ws_cct *table, const ws_cct_options *o)
{
    const ws_cct_row *row;
    const size_t rows = ws_cct_rows(table, &row);
    expect(rows <= o->rows);
    for (size_t i = 1; i < rows; i++)
        expect(row[i - 1].whole.last < row[i].whole.first);
}

/* A table that is kept and taken up again goes on alike. */
static void check_copy(const ws_cct *table, const ws_cct_options *o)
{
    const ws_cct_row *a, *b;
    ws_cct *copy;
    ws_bytes kept = {0};
    ws_cct_save(table, &kept);
    ws_reader reader = ws_reader_of(&kept);
    expect(!ws_cct_create(o, &copy) && !ws_cct_restore(copy, &reader));
    const size_t rows = ws_cct_rows(table, &a);
    expect(rows == ws_cct_rows(copy, &b) && (!rows || !memcmp(a, b, rows * sizeof *a)));
    ws_cct_destroy(copy);
    ws_bytes_fini(&kept);
}

static void launch_all(const ws_chiplet_kernels *kernels, const ws_cct_options *o)
{
    ws_cct *table;
    ws_cct_operations did;
    expect(!ws_cct_create(o, &table));
    for (size_t i = 0; i < kernels->kernels; i++) {
        expect(!ws_cct_launch(table, &kernels->kernel[i], &did));
        expect(!((did.acquires | did.releases | did.end_releases) & ~(uint32_t)EVERYONE));
        check_rows(table, o);
    }
    check_copy(table, o);
    expect(!(ws_cct_finish(table) & ~(uint32_t)EVERYONE));
    ws_cct_destroy(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_chiplet_kernels kernels = {0};
    if (ws_argument_file_parse("fuzz", (const char *)data, size, CHIPLETS, &kernels)) {
        expect(*ws_message() && !kernels.kernels);
        return 0;
    }
    for (size_t i = 0; i < kernels.kernels; i++)
        check_kernel(&kernels.kernel[i], i);
    ws_cct_options o = ws_cct_defaults(CHIPLETS);
    o.granule = LINE;
    launch_all(&kernels, &o);
    o.rows = FEW_ROWS;
    o.arguments = FEW_ARGUMENTS;
    o.strict = true;
    launch_all(&kernels, &o);
    ws_chiplet_kernels_fini(&kernels);
    return 0;
}
