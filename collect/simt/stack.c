/* stack.c - the SIMT stack of a warp: which paths it is on, and where they meet again.
 *
 * A divergent branch leaves, from bottom to top: the entry that was running, now open (it waits at the reconvergence
 * point with all lanes of the section), then one entry a side. The top runs. A path that reaches its end is popped;
 * when the open entry comes to the top, the section is over. Lanes that exit leave every entry; when all lanes that a
 * section has left are on one side, nothing is serialised any more and the section is over too.
 *
 * Two moves beyond the textbook let warps finish whose lanes wait for each other (as machines with independent thread
 * scheduling do): stack_rotate runs another side of a section first, stack_release lets lanes that already stand at a
 * reconvergence point go ahead without the others. Lanes so parted meet again (stack_meet) at the next barrier or the
 * next instruction that synchronises the warp. */
#include "base/grow.h"
#include "collect/simt/simt_internal.h"

#include <string.h>

static void fail_memory(warp *w)
{
    block_fail(w->block, WS_EMEM, "no memory for a SIMT stack");
    w->state = WARP_FAULT;
}

static bool reserve(warp *w, uint32_t more)
{
    if (WS_GROW(w->path, w->path_capacity, w->paths, more)) {
        fail_memory(w);
        return false;
    }
    return true;
}

void stack_push(warp *w, path p)
{
    if (reserve(w, 1))
        w->path[w->paths++] = p;
}

void stack_load(warp *w)
{
    const path *top = &w->path[w->paths - 1];
    mask_set(&w->mask, top->mask);
    w->depth = top->level;
}

/* The section of an open entry is over. */
static void close_section(warp *w, path *p)
{
    block *b = w->block;
    p->open = false;
    w->forced -= p->forced;
    if (p->forced || !(b->wants & WS_WANT_RECONVERGE))
        return;
    ws_event *ev = block_event(b);
    if (!ev) {
        w->state = WARP_FAULT;
        return;
    }
    const uint64_t length = w->instructions - p->since;
    *ev = (ws_event){.pc = p->branch,
                     .warp = (uint16_t)w->index,
                     .active = p->mask,
                     .exec = p->mask,
                     .section = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX,
                     .kind = WS_EVENT_RECONVERGE,
                     .depth = (uint8_t)(p->level < 255 ? p->level : 255)};
}

/* Makes the top entry wait at `resume` for the sides that the caller pushes next. */
static path open_section(warp *w, uint32_t pc, uint32_t resume)
{
    path *top = &w->path[w->paths - 1];
    top->pc = resume;
    top->open = true;
    top->forced = false;
    top->branch = pc;
    top->since = w->instructions;
    return (path){.end = resume, .level = (uint16_t)(top->level + 1), .side = true};
}

void stack_diverge(warp *w, const uop *u, uint32_t taken, uint32_t fallthrough)
{
    if (!reserve(w, 2))
        return;
    const uint32_t active = w->mask.bits, resume = u->extra;
    path side = open_section(w, u->pc, resume);
    if (fallthrough != resume) {
        side.pc = fallthrough;
        side.mask = active & ~taken;
        w->path[w->paths++] = side;
    }
    if (u->target != resume) {
        side.pc = u->target;
        side.mask = taken;
        w->path[w->paths++] = side;
    }
}

void stack_switch(warp *w, const uint32_t *target, const uint32_t *mask, uint32_t n, const uop *u, uint32_t resume)
{
    if (!reserve(w, n))
        return;
    path side = open_section(w, u->pc, resume);
    for (uint32_t i = n; i-- > 0;) {
        if (target[i] == resume)
            continue;
        side.pc = target[i];
        side.mask = mask[i];
        w->path[w->paths++] = side;
    }
}

void stack_remove(warp *w, uint32_t lanes, uint32_t base)
{
    for (uint32_t i = base; i < w->paths; i++)
        w->path[i].mask &= ~lanes;
}

bool stack_settle(warp *w, uint32_t base)
{
    for (;;) {
        if (w->paths == base)
            return false;
        path *top = &w->path[w->paths - 1];
        if (top->open) { /* all sides are back, or gone */
            close_section(w, top);
            continue;
        }
        if (top->mask == 0 || (top->pc == top->end && !top->blocked && w->paths > base + 1)) {
            w->paths--;
            continue;
        }
        path *below = top - 1;
        if (w->paths > base + 1 && below->open && below->mask == top->mask && below->level + 1 == top->level &&
            top->side) {
            /* the only side with lanes left: nothing is serialised any more */
            below->pc = top->pc;
            below->met = top->met;
            below->blocked = top->blocked;
            below->meets = top->meets;
            close_section(w, below);
            w->paths--;
            continue;
        }
        stack_load(w);
        return true;
    }
}

/* Brings the path at index i to the top: at each level, the group of entries that it belongs to becomes the last one.
 */
static void raise_path(warp *w, uint32_t i)
{
    const uint32_t base = w->frame[w->frames - 1].stack_base;
    for (uint32_t level = w->path[base].level + 1u; level <= w->path[i].level; level++) {
        uint32_t start = i, end = i + 1;
        while (w->path[start].level != level || !w->path[start].side)
            start--;
        while (end < w->paths && w->path[end].level > level)
            end++;
        const uint32_t n = end - start, behind = w->paths - end;
        for (uint32_t k = 0; k < n && behind; k++) { /* groups are a few entries, and this is rare */
            const path first = w->path[start];
            memmove(&w->path[start], &w->path[start + 1], (w->paths - start - 1) * sizeof first);
            w->path[w->paths - 1] = first;
        }
        i += behind;
    }
    stack_load(w);
}

bool stack_rotate(warp *w)
{
    for (uint32_t i = w->frame[w->frames - 1].stack_base; i + 1 < w->paths; i++)
        if (!w->path[i].open && !w->path[i].blocked) {
            raise_path(w, i);
            return true;
        }
    return false;
}

/* Lets lanes that wait to meet go on without the others; false: none do. */
static bool stack_part(warp *w)
{
    const uint32_t base = w->frame[w->frames - 1].stack_base;
    for (uint32_t i = w->paths; i-- > base;)
        if (!w->path[i].open && w->path[i].meets) {
            w->path[i].blocked = w->path[i].meets = false;
            w->path[i].met = true;
            raise_path(w, i);
            return true;
        }
    return false;
}

bool stack_unblock(warp *w)
{
    /* The last: the others wait for something else, so a path that waits for them goes on without them. */
    return stack_rotate(w) || stack_release(w) || stack_part(w);
}

/* The open entry whose section entry i is part of; base - 1 when it has none in this frame. */
static uint32_t section_of(const warp *w, uint32_t base, uint32_t i)
{
    const uint16_t level = w->path[i].level;
    while (i-- > base)
        if (w->path[i].level < level)
            return i;
    return base - 1;
}

/* Moves the lanes of path q, and what it stands for in its sections, to the top path. */
static void join(warp *w, uint32_t base, uint32_t q)
{
    const uint32_t lanes = w->path[q].mask, top = w->paths - 1;
    for (uint32_t i = q; i != base - 1 && !(i < top && (w->path[i].mask & w->path[top].mask));
         i = section_of(w, base, i))
        w->path[i].mask &= ~lanes;
    for (uint32_t i = top; i != base - 1 && !(w->path[i].mask & lanes); i = section_of(w, base, i))
        w->path[i].mask |= lanes;
    uint32_t n = base; /* entries that nobody is left in */
    for (uint32_t i = base; i < w->paths; i++) {
        if (w->path[i].mask)
            w->path[n++] = w->path[i];
        else if (w->path[i].open)
            close_section(w, &w->path[i]);
    }
    w->paths = n;
}

bool stack_meet(warp *w)
{
    const frame *f = &w->frame[w->frames - 1];
    const uint32_t base = f->stack_base, all = f->mask & w->live;
    path *top = &w->path[w->paths - 1];
    for (uint32_t q = w->paths - 1; q-- > base;)
        if (w->path[q].meets && w->path[q].pc == top->pc) {
            join(w, base, q);
            top = &w->path[w->paths - 1];
            q = w->paths - 1;
        }
    stack_load(w);
    if (top->mask == all)
        return true;
    top->blocked = top->meets = true;
    return false;
}

bool stack_release(warp *w)
{
    const uint32_t base = w->frame[w->frames - 1].stack_base;
    for (uint32_t r = w->paths; r-- > base;) {
        if (!w->path[r].open || w->path[r].pc == FLOW_END || w->path[r].pc == w->path[r].end)
            continue; /* not waiting, or where it waits the section around it waits too */
        uint32_t busy = 0, end = r + 1;
        for (; end < w->paths && w->path[end].level > w->path[r].level; end++)
            busy |= w->path[end].open ? 0 : w->path[end].mask;
        const uint32_t waiting = w->path[r].mask & ~busy;
        if (!waiting)
            continue;
        if (end == r + 1 &&
            end < w->paths) { /* a meeting took the last lanes of its sides: it goes on like one on top */
            close_section(w, &w->path[r]);
            raise_path(w, r);
            return w->state != WARP_FAULT;
        }
        if (end < w->paths) { /* the section's entries have to be the last ones: look again when they are */
            uint32_t leaf = r + 1;
            while (w->path[leaf].open && leaf + 1 < end)
                leaf++;
            raise_path(w, leaf);
            r = w->paths;
            continue;
        }
        for (uint32_t i = r + 1; i < end; i++)
            w->path[i].mask &= ~waiting;
        /* A section around r: its sides are the group of r without the waiting lanes, and these lanes alone. */
        if (!reserve(w, 2))
            return false;
        memmove(&w->path[r + 1], &w->path[r], (w->paths - r) * sizeof *w->path);
        w->paths++;
        path *outer = &w->path[r];
        const uint32_t resume = outer[1].pc;
        for (uint32_t i = r + 1; i < w->paths; i++)
            w->path[i].level++;
        outer->pc = outer->end;
        outer->forced = true;
        w->forced++;
        outer->open = true;
        outer->since = w->instructions;
        w->path[r + 1].side = true;
        w->path[r + 1].mask &= ~waiting;
        const path ahead = {
            .pc = resume, .end = outer->end, .mask = waiting, .level = (uint16_t)(outer->level + 1), .side = true};
        w->path[w->paths++] = ahead;
        for (uint32_t i = base; i < w->paths; i++)
            w->path[i].met = false; /* left from a meeting that ended the section it was for */
        stack_load(w);
        return true;
    }
    return false;
}
