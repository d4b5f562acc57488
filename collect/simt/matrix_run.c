/* matrix_run.c - matrices of a warp: products, loads, stores, transposition. */
#include "collect/simt/matrix_internal.h"

#include <string.h>

/* The ISA leaves open what happens without some lanes; a program that does it is wrong. */
static bool has_all_lanes(warp *w, const uop *u, uint32_t exec)
{
    return exec == UINT32_MAX || block_fault(w, u, ws_lowest(exec), "needs all %d lanes of the warp, %u execute it",
                                             WS_WARP, ws_popcount(exec));
}

static void save(const warp *w, const place *reg, unsigned n, bool wide, uint64_t (*before)[WS_WARP])
{
    for (unsigned r = 0; r < n && w->block->sampled; r++) {
        const void *const v = place_pointer(w, reg[r]);
        for (unsigned i = 0; i < WS_WARP; i++)
            before[r][i] = wide ? ((const uint64_t *)v)[i] : ((const uint32_t *)v)[i];
    }
}

static bool report(warp *w, const uop *u, const place *reg, unsigned n, bool wide, uint64_t (*before)[WS_WARP],
                   const uint16_t *number)
{
    for (unsigned r = 0; r < n && w->block->sampled; r++)
        if (!access_report_register(w, u, UINT32_MAX, before[r], reg[r], wide, number[r]))
            return false;
    return true;
}

static void fragment_registers(const warp *w, const matrix_fragment *p, void **reg)
{
    for (unsigned r = 0; r < p->distinct; r++)
        reg[r] = place_pointer(w, p->reg[r]);
}

bool matrix_product_run(warp *w, const uop *u, uint32_t exec)
{
    const matrix_product *const p = u->info;
    const matrix_fragment *const d = &p->part[ROLE_D];
    uint64_t before[MATRIX_REGS][WS_WARP];
    if (!exec)
        return true;
    if (!has_all_lanes(w, u, exec))
        return false;
    void *reg[ROLES][MATRIX_REGS];
    for (unsigned i = 0; i < ROLES; i++)
        fragment_registers(w, &p->part[i], reg[i]);
    save(w, d->reg, d->regs, d->wide, before);
    p->level->multiply(p, reg, p->form.op == MATRIX_SPARSE ? place_pointer(w, p->metadata.reg) : NULL);
    return report(w, u, d->reg, d->regs, d->wide, before, p->number);
}

/* ---- between memory and registers ---- */

static uint64_t base_of(const warp *w, const mem_access *a, unsigned lane)
{
    const void *const base = place_pointer(w, a->base);
    return (uint64_t)a->offset + (a->base_wide ? ((const uint64_t *)base)[lane] : ((const uint32_t *)base)[lane]);
}

static void load_piece(const warp *w, const matrix_transfer *t, unsigned k, unsigned char *const *host)
{
    const matrix_fragment *const p = &t->part;
    const unsigned first = k * t->piece, r = first / p->per_reg, shift = first % p->per_reg * (32u / p->per_reg);
    const address_summary anywhere = {0};
    uint64_t word[WS_WARP];
    w->block->launch->level->load(word, true, host_ground(), (const uint64_t *)(const void *)host, t->bytes, false,
                                  &w->mask, &anywhere);
    if (p->wide) {
        memcpy(place_pointer(w, p->reg[r]), word, sizeof word);
        return;
    }
    uint32_t *const low = place_pointer(w, p->reg[r]);
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        low[lane] = (shift ? low[lane] : 0) | (uint32_t)word[lane] << shift;
    if (t->bytes > 4) {
        uint32_t *const high = place_pointer(w, p->reg[r + 1]);
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            high[lane] = (uint32_t)(word[lane] >> 32);
    }
}

static void piece_values(const warp *w, const matrix_transfer *t, unsigned k, uint64_t word[WS_WARP])
{
    const matrix_fragment *const p = &t->part;
    const unsigned first = k * t->piece, r = first / p->per_reg, shift = first % p->per_reg * (32u / p->per_reg);
    if (p->wide) {
        memcpy(word, place_pointer(w, p->reg[r]), WS_WARP * sizeof *word);
        return;
    }
    const uint32_t *const low = place_pointer(w, p->reg[r]), *const high =
                                                                 t->bytes > 4 ? place_pointer(w, p->reg[r + 1]) : NULL;
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        word[lane] = low[lane] >> shift;
    for (unsigned lane = 0; lane < WS_WARP && high; lane++)
        word[lane] |= (uint64_t)high[lane] << 32;
}

/* All lanes are here. Values of 8 bytes, or of fewer, of shared memory go to sinks that sample. */
static bool store_values(warp *w, const uop *u, unsigned bytes, const uint64_t *value, const uint64_t *address,
                         unsigned char *const *host, ws_space space)
{
    uint64_t before[WS_WARP] = {0}, after[WS_WARP] = {0};
    if (!w->block->careful) {
        const address_summary anywhere = {0};
        w->block->launch->level->store(value, true, host_ground(), (const uint64_t *)(const void *)host, bytes,
                                       &w->mask, &anywhere);
        return true;
    }
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        memcpy(&before[lane], host[lane], bytes);
        memcpy(host[lane], &value[lane], bytes);
    }
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        memcpy(&after[lane], host[lane], bytes);
    for (unsigned lane = 0; w->block->checks && lane < WS_WARP; lane++)
        checks_see(w, u, space, lane, address[lane], bytes,
                   &(checked_access){.writes = true, .changes = memcmp(&before[lane], &after[lane], bytes) != 0});
    return space != WS_SPACE_SHARED || !w->block->sampled ||
           access_report_shared(w, u, bytes, UINT32_MAX, before, after, address);
}

enum { MOST_PIECES = MATRIX_REGS * MATRIX_REG_ELEMENTS };

bool matrix_transfer_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const matrix_transfer *const t = u->info;
    const matrix_fragment *const p = &t->part;
    uint64_t address[MOST_PIECES][WS_WARP], before[MATRIX_REGS][WS_WARP];
    unsigned char *host[MOST_PIECES][WS_WARP];
    ws_space space;
    if (!exec)
        return access_none(w, u, &t->access, active);
    if (!has_all_lanes(w, u, exec))
        return false;
    const unsigned pieces = (unsigned)p->distinct * p->per_reg / t->piece;
    const uint32_t *const stride = t->stride == PLACE_NONE ? NULL : place_pointer(w, t->stride);
    t->level->addresses(t, place_pointer(w, t->access.base), stride, pieces, address);
    if (!access_groups(w, u, &t->access, exec, active, pieces, t->bytes, address, host, &space))
        return false;
    if (t->store) {
        for (unsigned k = 0; k < pieces; k++) {
            uint64_t value[WS_WARP];
            piece_values(w, t, k, value);
            if (!store_values(w, u, t->bytes, value, address[k], host[k], space))
                return false;
        }
        return true;
    }
    save(w, p->reg, p->regs, p->wide, before);
    for (unsigned k = 0; k < pieces; k++)
        load_piece(w, t, k, host[k]);
    for (unsigned r = p->distinct; r < p->regs; r++)
        memcpy(place_pointer(w, p->reg[r]), place_pointer(w, p->reg[r % p->distinct]), WS_WARP * sizeof(uint32_t));
    return report(w, u, p->reg, p->regs, p->wide, before, t->number);
}

/* ---- rows of 8 elements of 16 bits ---- */

/* Lane i of matrix k holds the two elements from column 2 (i mod 4) on of row i / 4; transposed, of column i / 4. */
static uint16_t *element_at(unsigned char *const *host, bool transposed, unsigned lane, unsigned e)
{
    const unsigned across = lane % 4 * 2 + e, row = transposed ? across : lane / 4,
                   column = transposed ? lane / 4 : across;
    return (uint16_t *)(void *)host[row * 4 + column / 2] + column % 2;
}

static bool row_addresses(warp *w, const uop *u, const matrix_rows *r, uint64_t (*address)[WS_WARP])
{
    for (unsigned k = 0; k < r->matrices; k++)
        for (unsigned lane = 0; lane < WS_WARP; lane++) {
            const uint64_t row = base_of(w, &r->access, 8 * k + lane / 4);
            if (row & 15)
                return block_fault(w, u, 8 * k + lane / 4, "misaligned row of 16 bytes at address 0x%llx",
                                   (unsigned long long)row);
            address[k][lane] = row + lane % 4 * 4;
        }
    return true;
}

bool matrix_rows_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const matrix_rows *const r = u->info;
    uint64_t address[4][WS_WARP], before[4][WS_WARP];
    unsigned char *host[4][WS_WARP];
    ws_space space;
    if (!exec)
        return access_none(w, u, &r->access, active);
    if (!has_all_lanes(w, u, exec) || !row_addresses(w, u, r, address) ||
        !access_groups(w, u, &r->access, exec, active, r->matrices, 4, address, host, &space))
        return false;
    uint32_t out[4][WS_WARP];
    for (unsigned k = 0; k < r->matrices && !r->store; k++)
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            out[k][lane] = *element_at(host[k], r->transposed, lane, 0) |
                           (uint32_t)*element_at(host[k], r->transposed, lane, 1) << 16;
    if (!r->store) {
        save(w, r->reg, r->matrices, false, before);
        for (unsigned k = 0; k < r->matrices; k++)
            memcpy(place_pointer(w, r->reg[k]), out[k], sizeof out[k]);
        return report(w, u, r->reg, r->matrices, false, before, r->number);
    }
    for (unsigned k = 0; k < r->matrices; k++) {
        const uint32_t *const from = place_pointer(w, r->reg[k]);
        uint16_t half[8][8];
        uint64_t value[WS_WARP];
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            for (unsigned e = 0; e < 2; e++) {
                const unsigned across = lane % 4 * 2 + e;
                half[r->transposed ? across : lane / 4][r->transposed ? lane / 4 : across] =
                    (uint16_t)(from[lane] >> 16 * e);
            }
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            value[lane] = half[lane / 4][lane % 4 * 2] | (uint32_t)half[lane / 4][lane % 4 * 2 + 1] << 16;
        if (!store_values(w, u, 4, value, address[k], host[k], space))
            return false;
    }
    return true;
}

bool matrix_transpose_run(warp *w, const uop *u, uint32_t exec)
{
    if (!exec)
        return true;
    if (!has_all_lanes(w, u, exec))
        return false;
    const uint32_t *const from = place_pointer(w, u->a);
    uint32_t out[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        out[lane] = 0;
        for (unsigned e = 0; e < 2; e++) { /* element (lane / 4, across) comes from (across, lane / 4) */
            const unsigned across = lane % 4 * 2 + e, column = lane / 4;
            out[lane] |= (from[across * 4 + column / 2] >> 16 * (column % 2) & 0xffff) << 16 * e;
        }
    }
    memcpy(place_pointer(w, u->d), out, sizeof out);
    return true;
}
