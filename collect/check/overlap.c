/* overlap.c - see overlap.h: queues and moments, what operations touched, and variables by which kernels that run at
 * once tell each other. */
#include "collect/check/overlap.h"

#include "base/grow.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 4, /* bytes that share a list of accesses */
    PAGE_WORDS = 256,
    PAGE_BYTES = WORD * PAGE_WORDS,
    MOST_QUEUES = 4096 /* when they are used up, what came so far counts as ordered */
};

/* An operation, or a launch of one. */
typedef struct record {
    uint32_t queue, number; /* of the operation */
    uint32_t operation;     /* its own record */
    uint32_t id;
    void *about;   /* of an operation: what it is in words; of a launch: what it is about. Owned */
    bool is_noted; /* some of its accesses are kept by words */
} record;

typedef struct note {
    ws_overlap_access access;
    uint32_t next; /* number + 1; 0: none */
    uint8_t bytes; /* bit i: byte i of the word */
} note;

typedef struct page {
    uint32_t head[PAGE_WORDS]; /* number + 1 of a note */
    uint32_t age;              /* of another one than now nothing is kept */
    uint32_t looked;           /* launch that has looked for boxes here, */
    bool has_box;              /* ... and found one that it does not come after */
} page;

typedef struct box_note {
    ws_box box;
    ws_overlap_access access;
} box_note;

struct ws_overlap {
    bool watches, failed;
    const ws_overlap_voice *voice;
    ws_moment host, now; /* what the host knows; what the operation that runs comes after, itself included */
    uint32_t *latest;    /* [queues] number of the last operation of each */
    uint32_t queues, queue_room;
    uint32_t running; /* record of the operation; 0: none */
    record *record;   /* [records] numbers `oldest` and on */
    uint32_t records, record_room, oldest;
    ws_table page; /* page * by address / PAGE_BYTES */
    uint32_t age;  /* how often all was forgotten */
    uint64_t last_key;
    page *last;
    note *note;
    uint32_t notes, note_room, free_note;
    box_note *box;
    uint32_t boxes, box_room;
    ws_table released; /* number + 1 in `left`, by address */
    ws_moment *left;
    uint32_t lefts, left_room;
};

/* ---- life ---- */

ws_overlap *ws_overlap_create(void)
{
    ws_overlap *const o = calloc(1, sizeof *o);
    if (o) {
        o->page = WS_TABLE(page *);
        o->released = WS_TABLE(uint32_t);
        o->oldest = 1;
    }
    return o;
}

/* Nothing that was kept can be unordered with what comes. */
static void forget_all(ws_overlap *o)
{
    for (uint32_t i = 0; i < o->records; i++)
        free(o->record[i].about);
    o->oldest += o->records;
    o->records = o->boxes = 0;
    o->notes = o->free_note = 0;
    o->last = NULL;
    o->age++;
    for (uint32_t i = 0; i < o->lefts; i++)
        ws_moment_fini(&o->left[i]);
    o->lefts = 0;
    ws_table_clear(&o->released);
}

void ws_overlap_destroy(ws_overlap *o)
{
    if (!o)
        return;
    forget_all(o);
    uint64_t key;
    for (size_t i = 0; ws_table_next(&o->page, &i, &key); i++)
        free(*(page **)ws_table_value(&o->page, i));
    ws_table_fini(&o->page);
    ws_table_fini(&o->released);
    ws_moment_fini(&o->host);
    ws_moment_fini(&o->now);
    free(o->latest);
    free(o->record);
    free(o->note);
    free(o->box);
    free(o->left);
    free(o);
}

void ws_overlap_set_voice(ws_overlap *o, const ws_overlap_voice *voice)
{
    o->voice = voice;
}

const ws_overlap_voice *ws_overlap_get_voice(const ws_overlap *o)
{
    return o->voice;
}

void ws_overlap_watch(ws_overlap *o)
{
    o->watches = !o->failed;
}

bool ws_overlap_watches(const ws_overlap *o)
{
    return o->watches;
}

static void give_up(ws_overlap *o)
{
    o->failed = true;
    o->watches = false;
    o->running = 0;
}

/* ---- moments ---- */

void ws_moment_fini(ws_moment *m)
{
    free(m->before);
    *m = (ws_moment){NULL, 0};
}

static uint32_t before(const ws_moment *m, uint32_t queue)
{
    return queue < m->queues ? m->before[queue] : 0;
}

static bool reach_queue(ws_overlap *o, ws_moment *m, uint32_t queues)
{
    if (m->queues >= queues)
        return true;
    uint32_t *const more = realloc(m->before, queues * sizeof *more);
    if (!more) {
        give_up(o);
        return false;
    }
    memset(more + m->queues, 0, (queues - m->queues) * sizeof *more);
    m->before = more;
    m->queues = queues;
    return true;
}

void ws_overlap_join(ws_overlap *o, ws_moment *to, const ws_moment *from)
{
    if (!reach_queue(o, to, from->queues))
        return;
    for (uint32_t i = 0; i < from->queues; i++)
        to->before[i] = from->before[i] > to->before[i] ? from->before[i] : to->before[i];
}

static record *record_of(const ws_overlap *o, uint32_t number)
{
    return number >= o->oldest && number - o->oldest < o->records ? &o->record[number - o->oldest] : NULL;
}

/* Everything that comes from now on comes after it. */
static bool is_over(const ws_overlap *o, const record *r)
{
    return !r || before(&o->host, r->queue) >= r->number;
}

static bool comes_before_now(const ws_overlap *o, const record *r)
{
    return before(&o->now, r->queue) >= r->number;
}

static void drop_old_records(ws_overlap *o)
{
    uint32_t gone = 0;
    while (gone < o->records && is_over(o, &o->record[gone]))
        gone++;
    if (gone == o->records) {
        forget_all(o);
        return;
    }
    for (uint32_t i = 0; i < gone; i++) {
        free(o->record[i].about);
        o->record[i].about = NULL;
    }
    if (gone < o->records / 2) /* the rest would be moved for little */
        return;
    memmove(o->record, o->record + gone, (o->records - gone) * sizeof *o->record);
    o->records -= gone;
    o->oldest += gone;
}

void ws_overlap_host_knows(ws_overlap *o, const ws_moment *m)
{
    ws_overlap_join(o, &o->host, m);
    if (!o->running)
        drop_old_records(o);
}

void ws_overlap_host_knows_all(ws_overlap *o)
{
    const ws_moment all = {o->latest, o->queues};
    ws_overlap_host_knows(o, &all);
}

/* ---- operations ---- */

/* A queue whose last operation comes before now: the caller's, or any, or a new one. */
static bool find_queue(ws_overlap *o, uint32_t *queue)
{
    if (*queue && before(&o->now, *queue - 1) >= o->latest[*queue - 1])
        return true;
    for (*queue = 1; *queue <= o->queues; ++*queue)
        if (before(&o->now, *queue - 1) >= o->latest[*queue - 1])
            return true;
    if (o->queues == MOST_QUEUES) {
        ws_overlap_host_knows_all(o);
        ws_overlap_join(o, &o->now, &o->host);
        *queue = 1;
        return true;
    }
    if (WS_GROW(o->latest, o->queue_room, o->queues, 1))
        return false;
    o->latest[o->queues++] = 0;
    return true;
}

static uint32_t add_record(ws_overlap *o, record made)
{
    if (WS_GROW(o->record, o->record_room, o->records, 1)) {
        free(made.about);
        give_up(o);
        return 0;
    }
    const uint32_t number = o->oldest + o->records;
    made.operation = made.operation ? made.operation : number;
    o->record[o->records++] = made;
    return number;
}

void ws_overlap_begin(ws_overlap *o, const ws_moment *after, uint32_t *queue, const void *operation, size_t bytes,
                      uint32_t id)
{
    void *const copy = malloc(bytes);
    o->running = 0;
    if (o->now.queues)
        memset(o->now.before, 0, o->now.queues * sizeof *o->now.before);
    ws_overlap_join(o, &o->now, after);
    ws_overlap_join(o, &o->now, &o->host);
    if (!copy || !find_queue(o, queue) || !reach_queue(o, &o->now, *queue)) {
        free(copy);
        give_up(o);
        return;
    }
    memcpy(copy, operation, bytes);
    const uint32_t number = ++o->latest[*queue - 1];
    o->now.before[*queue - 1] = number;
    const record made = {.queue = *queue - 1, .number = number, .id = id, .about = copy};
    o->running = add_record(o, made);
}

void ws_overlap_end(ws_overlap *o, ws_moment *out)
{
    if (o->running)
        ws_overlap_join(o, out, &o->now);
    o->running = 0;
}

bool ws_overlap_runs(const ws_overlap *o)
{
    return o->running && o->watches;
}

uint32_t ws_overlap_self(const ws_overlap *o)
{
    return o->running;
}

uint32_t ws_overlap_actor(ws_overlap *o, void *about)
{
    const record *const r = record_of(o, o->running);
    if (!r || !about) {
        free(about);
        return 0;
    }
    return add_record(
        o, (record){.queue = r->queue, .number = r->number, .operation = o->running, .id = r->id, .about = about});
}

const void *ws_overlap_about(const ws_overlap *o, uint32_t actor)
{
    const record *const r = record_of(o, actor);
    return r && r->operation != actor ? r->about : NULL;
}

const void *ws_overlap_operation(const ws_overlap *o, uint32_t actor)
{
    const record *const r = record_of(o, actor), *const of = r ? record_of(o, r->operation) : NULL;
    return of ? of->about : NULL;
}

uint32_t ws_overlap_id(const ws_overlap *o, uint32_t actor)
{
    const record *const r = record_of(o, actor);
    return r ? r->id : 0;
}

/* ---- what was touched ---- */

static bool collide(const ws_overlap_access *old, const ws_overlap_access *new)
{
    return (new->changes || (old->changes && !new->writes)) && !(old->strong && new->strong);
}

/* What races with `old` races with `new`, too, if both are as late. */
static bool stands_for(const ws_overlap_access *new, const ws_overlap_access *old)
{
    return new->changes >= old->changes &&new->writes >= old->writes &&new->strong <= old->strong;
}

/* What races with `new` was told when `old` of the same operation was seen. A store of the value that stood there races
 * with nothing that came before it, a read may. */
static bool was_told(const ws_overlap_access *old, const ws_overlap_access *new)
{
    return stands_for(old, new) && (old->changes || !old->writes || new->writes);
}

static page *page_of(ws_overlap *o, uint64_t address, bool make)
{
    const uint64_t key = address / PAGE_BYTES;
    if (o->last && o->last_key == key)
        return o->last;
    page **const place = make ? ws_table_put(&o->page, key) : ws_table_find(&o->page, key);
    if (place && !*place)
        *place = calloc(1, sizeof **place);
    if (!place || !*place)
        return NULL;
    o->last = *place;
    o->last_key = key;
    if (o->last->age != o->age)
        memset(o->last->head, 0, sizeof o->last->head);
    o->last->age = o->age;
    return o->last;
}

static void drop_note(ws_overlap *o, uint32_t *from)
{
    const uint32_t gone = *from;
    *from = o->note[gone - 1].next;
    o->note[gone - 1].next = o->free_note;
    o->free_note = gone;
}

static void add_note(ws_overlap *o, uint32_t *head, const ws_overlap_access *a, uint8_t bytes)
{
    uint32_t at = o->free_note;
    if (at)
        o->free_note = o->note[at - 1].next;
    else if (WS_GROW(o->note, o->note_room, o->notes, 1))
        return; /* no memory: a race may not be seen */
    else
        at = ++o->notes;
    o->note[at - 1] = (note){*a, *head, bytes};
    *head = at;
    record_of(o, a->actor)->is_noted = true;
}

static void found(ws_overlap_other *other, const ws_overlap_access *old, uint64_t address)
{
    *other = (ws_overlap_other){*old, address};
}

/* An access to some bytes of the word at `at`. */
static bool see_word(ws_overlap *o, const ws_overlap_access *new, uint64_t at, uint32_t *head, uint8_t bytes,
                     ws_overlap_other *other)
{
    const uint32_t operation = o->running;
    bool race = false, is_there = false;
    if (*head && o->note[*head - 1].access.actor == new->actor && !(bytes & ~o->note[*head - 1].bytes) &&
        was_told(&o->note[*head - 1].access, new))
        return false;
    for (uint32_t *from = head; *from;) {
        const note *const old = &o->note[*from - 1];
        const record *const r = record_of(o, old->access.actor);
        if (is_over(o, r)) {
            drop_note(o, from);
            continue;
        }
        const bool own = r->operation == operation, after = own || comes_before_now(o, r);
        if (!after && !race && old->bytes & bytes && collide(&old->access, new)) {
            found(other, &old->access, at + (unsigned)__builtin_ctz((unsigned)(old->bytes & bytes)));
            race = true;
        }
        is_there |= own && !(bytes & ~old->bytes) && stands_for(&old->access, new);
        if (after && !(old->bytes & ~bytes) && !is_there && stands_for(new, &old->access))
            drop_note(o, from);
        else
            from = &o->note[*from - 1].next;
    }
    if (!is_there)
        add_note(o, head, new, bytes);
    return race;
}

/* The first byte of [low, high) that the box has; `high`: none. Rows do not overlap, and come in the order of their
 * addresses. */
static uint64_t box_meets(const ws_box *b, uint64_t low, uint64_t high)
{
    if (high <= b->address || !b->width || !b->rows || !b->slices)
        return high;
    const uint64_t offset = high - 1 - b->address;
    const uint64_t z = b->slices > 1 && offset / b->slice < b->slices ? offset / b->slice : b->slices - 1;
    const uint64_t rest = offset - (z ? z * b->slice : 0);
    const uint64_t y = b->rows > 1 && rest / b->pitch < b->rows ? rest / b->pitch : b->rows - 1;
    const uint64_t row =
        b->address + (z ? z * b->slice : 0) + (y ? y * b->pitch : 0); /* the last that begins below `high` */
    if (row + b->width <= low)
        return high;
    return row > low ? row : low;
}

static bool is_plain(const ws_box *b)
{
    return b->rows == 1 && b->slices == 1;
}

static bool is_over_box(const ws_overlap *o, const box_note *b)
{
    return is_over(o, record_of(o, b->access.actor));
}

static bool see_boxes(const ws_overlap *o, const ws_overlap_access *new, uint64_t low, uint64_t high,
                      ws_overlap_other *other)
{
    for (uint32_t i = 0; i < o->boxes; i++) {
        const box_note *const b = &o->box[i];
        const uint64_t at = box_meets(&b->box, low, high);
        if (at == high || !collide(&b->access, new) || is_over_box(o, b) ||
            comes_before_now(o, record_of(o, b->access.actor)))
            continue;
        found(other, &b->access, at);
        return true;
    }
    return false;
}

/* Is there a box in the page that the launch does not come after? Asked once a launch. */
static bool page_has_box(const ws_overlap *o, page *p, uint64_t address, uint32_t actor)
{
    const uint64_t low = address / PAGE_BYTES * PAGE_BYTES;
    if (!o->boxes)
        return false;
    if (p->looked == actor)
        return p->has_box;
    p->looked = actor;
    p->has_box = false;
    for (uint32_t i = 0; i < o->boxes && !p->has_box; i++)
        p->has_box = box_meets(&o->box[i].box, low, low + PAGE_BYTES) != low + PAGE_BYTES &&
                     !is_over_box(o, &o->box[i]) && !comes_before_now(o, record_of(o, o->box[i].access.actor));
    return p->has_box;
}

bool ws_overlap_see(ws_overlap *o, const ws_overlap_access *a, uint64_t address, unsigned bytes,
                    ws_overlap_other *other)
{
    bool race = false;
    if (!o->running || !a->actor)
        return false;
    for (uint64_t at = address / WORD * WORD; at < address + bytes; at += WORD) {
        const uint64_t low = at > address ? at : address,
                       high = address + bytes - at < WORD ? address + bytes : at + WORD;
        const uint8_t mask = (uint8_t)(((1u << (high - low)) - 1) << (low - at));
        page *const p = page_of(o, at, true);
        ws_overlap_other one;
        if (!p)
            continue;
        if (!see_word(o, a, at, &p->head[at % PAGE_BYTES / WORD], mask, &one) &&
            !(page_has_box(o, p, at, a->actor) && see_boxes(o, a, low, high, &one)))
            continue;
        if (!race)
            *other = one;
        race = true;
    }
    return race;
}

/* ---- boxes ---- */

/* Is anything kept by words that the operation does not come after? */
static bool notes_matter(const ws_overlap *o)
{
    for (uint32_t i = 0; i < o->records; i++) {
        const record *const r = &o->record[i];
        if (r->is_noted && r->operation != o->running && !is_over(o, r) && !comes_before_now(o, r))
            return true;
    }
    return false;
}

static bool see_page(const ws_overlap *o, const page *p, const ws_overlap_access *new, uint64_t low, uint64_t high,
                     ws_overlap_other *other)
{
    for (uint64_t at = low / WORD * WORD; at < high; at += WORD)
        for (uint32_t n = p->head[at % PAGE_BYTES / WORD]; n; n = o->note[n - 1].next) {
            const note *const old = &o->note[n - 1];
            const record *const r = record_of(o, old->access.actor);
            const uint64_t from = at > low ? at : low, to = high - at < WORD ? high : at + WORD;
            const unsigned bytes = ((1u << (to - from)) - 1) << (from - at) & old->bytes;
            if (!bytes || is_over(o, r) || comes_before_now(o, r) || !collide(&old->access, new))
                continue;
            found(other, &old->access, at + (unsigned)__builtin_ctz(bytes));
            return true;
        }
    return false;
}

static bool see_row(ws_overlap *o, const ws_overlap_access *new, uint64_t low, uint64_t high, bool notes,
                    ws_overlap_other *other)
{
    if (see_boxes(o, new, low, high, other))
        return true;
    for (uint64_t at = low; notes && at < high; at = (at / PAGE_BYTES + 1) * PAGE_BYTES) {
        const uint64_t end = (at / PAGE_BYTES + 1) * PAGE_BYTES;
        const page *const p = page_of(o, at, false);
        if (p && see_page(o, p, new, at, end < high ? end : high, other))
            return true;
    }
    return false;
}

/* All rows of `inner` are in `outer`: as far as that is easily told. */
static bool covers(const ws_box *outer, const ws_box *inner)
{
    if (!memcmp(outer, inner, sizeof *outer))
        return true;
    const uint64_t end =
        inner->address + (inner->slices - 1) * inner->slice + (inner->rows - 1) * inner->pitch + inner->width;
    return is_plain(outer) && inner->address >= outer->address && end <= outer->address + outer->width;
}

static void keep_box(ws_overlap *o, const ws_overlap_access *new, const ws_box *box)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->boxes; i++) {
        const box_note *const b = &o->box[i];
        if (!is_over_box(o, b) && !(comes_before_now(o, record_of(o, b->access.actor)) && stands_for(new, &b->access) &&
                                    covers(box, &b->box)))
            o->box[kept++] = *b;
    }
    o->boxes = kept;
    if (!WS_GROW(o->box, o->box_room, o->boxes, 1))
        o->box[o->boxes++] = (box_note){*box, *new};
}

bool ws_overlap_see_box(ws_overlap *o, const ws_overlap_access *a, const ws_box *box, ws_overlap_other *other)
{
    const bool whole = box->slices == 1 && (box->rows == 1 || box->pitch == box->width);
    const ws_box plain = {.address = box->address, .width = box->width * box->rows, .rows = 1, .slices = 1};
    const ws_box *const b = whole ? &plain : box;
    bool race = false;
    if (!o->running || !a->actor)
        return false;
    const bool notes = notes_matter(o);
    for (uint64_t z = 0; z < b->slices && !race; z++)
        for (uint64_t y = 0; y < b->rows && !race; y++) {
            const uint64_t low = b->address + z * b->slice + y * b->pitch;
            race = see_row(o, a, low, low + b->width, notes, other);
        }
    keep_box(o, a, b);
    return race;
}

void ws_overlap_forget(ws_overlap *o, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->boxes; i++)
        if (o->box[i].box.address < address || o->box[i].box.address >= end)
            o->box[kept++] = o->box[i];
    o->boxes = kept;
    for (uint64_t at = address / WORD * WORD; o->notes && at < end; at += WORD) {
        page *const p = page_of(o, at, false);
        if (!p) {
            at = (at / PAGE_BYTES + 1) * PAGE_BYTES - WORD;
            continue;
        }
        uint32_t *const head = &p->head[at % PAGE_BYTES / WORD];
        while (*head)
            drop_note(o, head);
    }
}

/* ---- variables ---- */

void ws_overlap_release(ws_overlap *o, uint64_t address)
{
    uint32_t *const slot = o->running ? ws_table_put(&o->released, address) : NULL;
    if (!slot || (!*slot && WS_GROW(o->left, o->left_room, o->lefts, 1)))
        return;
    if (!*slot) {
        o->left[o->lefts] = (ws_moment){NULL, 0};
        *slot = ++o->lefts;
    }
    ws_overlap_join(o, &o->left[*slot - 1], &o->now);
}

void ws_overlap_acquire(ws_overlap *o, uint64_t address)
{
    const uint32_t *const slot = o->running && o->lefts ? ws_table_find(&o->released, address) : NULL;
    if (slot)
        ws_overlap_join(o, &o->now, &o->left[*slot - 1]);
}
