/* quantities.c - what all mechanisms say of a machine, beside each other: see quantities.h. */
#include "model/mechanism/quantities.h"

#include "base/status.h"
#include "model/mechanism/mechanism.h"

#include <math.h>
#include <string.h>

static const ws_quantities none;

static const ws_quantities *quantities_of(size_t mechanism)
{
    const ws_quantities *const q = ws_mechanism_rows[mechanism].is->quantities;
    return q ? q : &none;
}

size_t ws_quantities_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < WS_MECHANISMS; i++)
        count += quantities_of(i)->count;
    return count;
}

const ws_quantity *ws_quantity_at(size_t index)
{
    size_t i = 0;
    for (; index >= quantities_of(i)->count; i++)
        index -= quantities_of(i)->count;
    return &quantities_of(i)->one[index];
}

size_t ws_quantity_of(ws_quantity_role role)
{
    size_t i = 0;
    while (ws_quantity_at(i)->role != role)
        i++;
    return i;
}

/* A frame without values for the workloads of the first mechanism. */
static int make_frame(const ws_frame *workloads, ws_frame **out)
{
    const size_t count = ws_quantities_count();
    *out = ws_frame_create(workloads->rows, count, 1, (const char *const *)workloads->label_names);
    int status = *out ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < count && !status; i++)
        status = ws_frame_set_column(*out, i, ws_quantity_at(i)->name, ws_quantity_at(i)->unit, "");
    for (size_t i = 0; i < workloads->rows && !status; i++)
        status = ws_frame_set_label(*out, i, 0, workloads->label[i]);
    return status;
}

static int add_columns(const ws_frame *part, const char *mechanism, size_t first, ws_frame *all)
{
    bool same = part->rows == all->rows;
    for (size_t i = 0; i < part->rows && same; i++) {
        same = !strcmp(part->label[i], all->label[i]);
        memcpy(all->value + i * all->columns + first, part->value + i * part->columns,
               part->columns * sizeof *part->value);
    }
    return same ? WS_OK : ws_fail(WS_EINPUT, "model %s finds other workloads than the models before it", mechanism);
}

int ws_quantities_measure(const ws_machine *machine, const ws_works_asked *works, ws_frame *notes, ws_frame **out)
{
    int status = WS_OK;
    size_t first = 0;
    *out = NULL;
    for (size_t i = 0; i < WS_MECHANISMS && !status; i++) {
        const ws_quantities *const q = quantities_of(i);
        ws_frame *part = NULL;
        if (!q->measure)
            continue;
        status = q->measure(machine, works, notes, &part);
        if (!status && !*out)
            status = make_frame(part, out);
        if (!status)
            status = add_columns(part, ws_mechanism_rows[i].name, first, *out);
        ws_frame_destroy(part);
        first += q->count;
    }
    return status;
}

int ws_quantities_missing(const ws_machine *machine, ws_frame *notes, bool *missing)
{
    int status = WS_OK;
    *missing = false;
    for (size_t i = 0; i < WS_MECHANISMS && !status; i++) {
        bool here = false;
        if (quantities_of(i)->find_missing)
            status = quantities_of(i)->find_missing(machine, notes, &here);
        *missing |= here;
    }
    return status;
}

int ws_quantities_compare(const ws_machine *first, const ws_machine *other, bool *ratio, ws_frame *notes)
{
    int status = WS_OK;
    for (size_t i = 0; i < WS_MECHANISMS && !status; i++) {
        if (quantities_of(i)->compare)
            status = quantities_of(i)->compare(first, other, ratio, notes);
        ratio += quantities_of(i)->count;
    }
    return status;
}

bool ws_quantities_equal(const double *one, const double *other)
{
    bool equal = true;
    for (size_t i = 0; i < ws_quantities_count(); i++)
        equal &= one[i] == other[i] || (isnan(one[i]) && isnan(other[i]));
    return equal;
}
