/* register_names.c - which of 255 registers is each register of a launch? */
#include "collect/accelsim/register_names.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NOBODY = 0xffff };

typedef struct maker {
    size_t registers;
    uint32_t *last;                    /* [registers] instruction that names it last */
    uint16_t *name;                    /* [registers]; NOBODY: none yet */
    uint32_t until[WS_SASS_REGISTERS]; /* instruction behind which a name is free */
    bool taken[WS_SASS_REGISTERS];
    unsigned used;
} maker;

static size_t count_registers(const ws_launch *launch)
{
    size_t n = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        for (unsigned k = 0; k < in->dsts; k++)
            n = in->dst[k] >= n ? in->dst[k] + 1u : n;
        for (unsigned k = 0; k < in->srcs; k++)
            n = in->src[k] >= n ? in->src[k] + 1u : n;
    }
    return n;
}

static bool is_free(const maker *m, unsigned name, uint32_t pc)
{
    return name < WS_SASS_REGISTERS && (!m->taken[name] || m->until[name] < pc);
}

/* The first of n free names in a row; when there is none, that of a register in use. */
static unsigned choose(const maker *m, unsigned n, uint32_t pc, unsigned otherwise)
{
    for (unsigned at = 0; at + n <= WS_SASS_REGISTERS; at += n) {
        unsigned k = 0;
        while (k < n && is_free(m, at + k, pc))
            k++;
        if (k == n)
            return at;
    }
    return otherwise % (WS_SASS_REGISTERS - n + 1);
}

static void take(maker *m, uint16_t reg, unsigned name, uint32_t pc)
{
    m->name[reg] = (uint16_t)name;
    const bool shared = m->taken[name] && m->until[name] >= pc;
    m->until[name] = shared && m->until[name] > m->last[reg] ? m->until[name] : m->last[reg];
    m->taken[name] = true;
    m->used = name >= m->used ? name + 1 : m->used;
}

/* Those of n registers that have no name yet; all together when none has one. */
static void name_all(maker *m, const uint16_t *reg, unsigned n, uint32_t pc)
{
    unsigned named = 0;
    for (unsigned k = 0; k < n; k++)
        named += m->name[reg[k]] != NOBODY;
    if (!named && n > 1) {
        const unsigned first = choose(m, n, pc, reg[0]);
        for (unsigned k = 0; k < n; k++)
            take(m, reg[k], first + k, pc);
        return;
    }
    for (unsigned k = 0; k < n; k++)
        if (m->name[reg[k]] == NOBODY)
            take(m, reg[k], choose(m, 1, pc, reg[k]), pc);
}

static void name_instruction(maker *m, const ws_instr *in, uint32_t pc, ws_register_names *out)
{
    for (unsigned k = 0; k < in->srcs; k++)
        name_all(m, &in->src[k], 1, pc);
    name_all(m, in->dst, in->dsts, pc);
    out->dsts = in->dsts > 0;
    out->dst = (uint8_t)(in->dsts ? m->name[in->dst[0]] : 0);
    for (unsigned k = 0; k < in->srcs && out->srcs < WS_SASS_SOURCES; k++) {
        const uint8_t name = (uint8_t)m->name[in->src[k]];
        if (!memchr(out->src, name, out->srcs))
            out->src[out->srcs++] = name;
    }
}

/* A launch in SASS has names already; of registers that a vector access fills, the first. */
static void copy_instruction(const ws_instr *in, ws_register_names *out)
{
    const unsigned more = in->access == WS_ACCESS_STORE && in->bytes > 4 ? in->bytes / 4u - 1 : 0;
    unsigned srcs = in->srcs;
    for (unsigned k = 0; k < more && srcs > 1 && in->src[srcs - 1] == in->src[srcs - 2] + 1; k++)
        srcs--;
    for (unsigned k = 0; k < in->dsts && !out->dsts; k++)
        if (in->dst[k] < WS_SASS_REGISTERS) {
            out->dst = (uint8_t)in->dst[k];
            out->dsts = 1;
        }
    for (unsigned k = 0; k < srcs && out->srcs < WS_SASS_SOURCES; k++)
        if (in->src[k] < WS_SASS_REGISTERS)
            out->src[out->srcs++] = (uint8_t)in->src[k];
}

static int make(maker *m, const ws_launch *launch, ws_register_names *names)
{
    m->registers = count_registers(launch);
    m->last = calloc(m->registers + 1, sizeof *m->last);
    m->name = malloc((m->registers + 1) * sizeof *m->name);
    if (!m->last || !m->name)
        return ws_fail(WS_EMEM, "no memory for the registers of kernel %s", launch->kernel);
    memset(m->name, 0xff, (m->registers + 1) * sizeof *m->name);
    for (uint32_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        for (unsigned k = 0; k < in->dsts; k++)
            m->last[in->dst[k]] = i;
        for (unsigned k = 0; k < in->srcs; k++)
            m->last[in->src[k]] = i;
    }
    for (uint32_t i = 0; i < launch->instrs; i++)
        name_instruction(m, &launch->instr[i], i, &names[i]);
    return WS_OK;
}

int ws_register_names_make(const ws_launch *launch, ws_register_names *names, unsigned *used)
{
    maker m = {.registers = 0};
    int status = WS_OK;
    memset(names, 0, launch->instrs * sizeof *names);
    if (ws_isa_is_sass(launch->isa)) {
        for (size_t i = 0; i < launch->instrs; i++)
            copy_instruction(&launch->instr[i], &names[i]);
        m.used = launch->registers;
    } else {
        status = make(&m, launch, names);
    }
    *used = m.used;
    free(m.last);
    free(m.name);
    return status;
}
