/* livelock.c - see livelock.h. */
#include "model/sim/livelock.h"

#include "base/grow.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINES = 16 };

/* Warps that look at one word by one instruction. */
typedef struct look {
    uint32_t pc;
    uint64_t address, block, warps; /* block: of the first of them */
} look;

typedef struct looks {
    look *item;
    size_t n, room;
} looks;

static int by_place(const void *left, const void *right)
{
    const look *const a = left, *const b = right;
    return a->pc != b->pc             ? (a->pc > b->pc) - (a->pc < b->pc)
           : a->address != b->address ? (a->address > b->address) - (a->address < b->address)
                                      : (a->block > b->block) - (a->block < b->block);
}

static int by_warps(const void *left, const void *right)
{
    const look *const a = left, *const b = right;
    return a->warps != b->warps ? (a->warps < b->warps) - (a->warps > b->warps) : by_place(left, right);
}

static int collect(ws_sm *const *sm, uint32_t sms, looks *all)
{
    ws_sm_waiting_warp w;
    for (uint32_t i = 0; i < sms; i++)
        for (uint32_t slot = 0; slot < WS_SM_WARPS; slot++) {
            if (!ws_sm_wait(sm[i], slot, &w))
                continue;
            if (WS_GROW(all->item, all->room, all->n, 1))
                return ws_fail(WS_EMEM, "no memory for a report");
            all->item[all->n++] = (look){.pc = w.pc, .address = w.address, .block = w.block, .warps = 1};
        }
    return WS_OK;
}

/* Those of one word and instruction become one; the most wanted first. */
static void merge(looks *all)
{
    size_t n = 0;
    if (all->n)
        qsort(all->item, all->n, sizeof *all->item, by_place);
    for (size_t i = 0; i < all->n; i++) {
        look *const last = n ? &all->item[n - 1] : NULL;
        if (last && last->pc == all->item[i].pc && last->address == all->item[i].address)
            last->warps++;
        else
            all->item[n++] = all->item[i];
    }
    all->n = n;
    if (n)
        qsort(all->item, n, sizeof *all->item, by_warps);
}

static void describe(const ws_launch *launch, const look *l, char *text, size_t size)
{
    if (l->pc < launch->instrs)
        snprintf(text, size, "line %u, `%s`, for the word at 0x%" PRIx64, launch->instr[l->pc].line,
                 launch->instr[l->pc].opcode, l->address);
    else
        snprintf(text, size, "the beginning of its loop");
}

int ws_livelock_report(ws_sm *const *sm, uint32_t sms, const ws_launch *launch, uint64_t now, uint64_t cycles,
                       uint64_t left, void (*say)(void *context, const char *line), void *context)
{
    looks all = {0};
    char text[512], line[640], blocks[96] = "";
    uint64_t warps = 0;
    const int status = collect(sm, sms, &all);
    if (status) {
        free(all.item);
        return status;
    }
    merge(&all);
    for (size_t i = 0; i < all.n; i++) {
        warps += all.item[i].warps;
        describe(launch, &all.item[i], text, sizeof text);
        snprintf(line, sizeof line, "%" PRIu64 " warp%s (block %" PRIu64 "%s) wait at %s", all.item[i].warps,
                 all.item[i].warps == 1 ? "" : "s", all.item[i].block, all.item[i].warps == 1 ? "" : " and others",
                 text);
        if (i < MOST_LINES)
            say(context, line);
    }
    if (all.n)
        describe(launch, &all.item[0], text, sizeof text);
    if (left)
        snprintf(blocks, sizeof blocks, "; %" PRIu64 " blocks have not started for lack of room", left);
    free(all.item);
    return ws_fail(WS_EVERIFY,
                   "livelock in cycle %" PRIu64 " of kernel %s: for %" PRIu64
                   " cycles no warp has done anything but wait in a loop for another; %" PRIu64
                   " do, most of them at %s%s",
                   now, launch->kernel, cycles, warps, text, blocks);
}
