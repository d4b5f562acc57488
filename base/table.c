/* table.c - see table.h. */
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 6 };

void ws_table_fini(ws_table *table)
{
    free(table->key);
    free(table->value);
    *table = (ws_table){.value_bytes = table->value_bytes};
}

void ws_table_clear(ws_table *table)
{
    if (table->used)
        memset(table->key, 0, table->slots * sizeof *table->key);
    table->used = 0;
}

static int grow(ws_table *table)
{
    ws_table larger = {.value_bytes = table->value_bytes, .used = table->used};
    larger.bits = table->slots ? table->bits + 1 : FIRST_BITS;
    larger.slots = (size_t)1 << larger.bits;
    const bool fits = !larger.value_bytes || larger.slots <= PTRDIFF_MAX / larger.value_bytes;
    larger.key = calloc(larger.slots, sizeof *larger.key);
    larger.value = larger.key && fits && larger.value_bytes ? malloc(larger.slots * larger.value_bytes) : NULL;
    if (!larger.key || (larger.value_bytes && !larger.value)) {
        free(larger.key);
        return ws_fail(WS_EMEM, "out of memory");
    }
    for (size_t i = 0; i < table->slots; i++)
        if (table->key[i]) {
            const size_t at = ws_table_slot(&larger, table->key[i] - 1);
            larger.key[at] = table->key[i];
            if (larger.value_bytes)
                memcpy(ws_table_value(&larger, at), ws_table_value(table, i), larger.value_bytes);
        }
    free(table->key);
    free(table->value);
    *table = larger;
    return WS_OK;
}

int ws_table_add_slow(ws_table *table, uint64_t key, size_t *slot)
{
    const int status = 2 * (table->used + 1) > table->slots ? grow(table) : WS_OK;
    if (status)
        return status;
    *slot = ws_table_slot(table, key);
    table->key[*slot] = key + 1;
    table->used++;
    if (table->value_bytes)
        memset(ws_table_value(table, *slot), 0, table->value_bytes);
    return WS_OK;
}
