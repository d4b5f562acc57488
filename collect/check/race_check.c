/* race_check.c - see race_check.h: clocks of warps, variables by which they meet, and the shadow of memory. */
#include "collect/check/race_check.h"

#include "base/grow.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 4,         /* bytes that share a list of accesses */
    PAGE_WORDS = 256, /* that are made at once */
    PAGE_BYTES = WORD * PAGE_WORDS,
    MOST_OF_BLOCK = 2,  /* accesses of one kind that are kept of a word: of warps of one block, */
    MOST_OF_OTHERS = 4, /* ... and of others; who writes there races with one of them */
    SIGHT_BYTES = 16,   /* what one strong read sees at most: 128 bits */
    MOST_KNOWN = 64     /* variables of which a warp knows apart how far it is; of more only the latest number of any */
};

/* ---- clocks ---- */

/* How far a warp is in the numbers that were left in variables of global memory: kept for each, or, of too many, one
 * for all. */
typedef struct known {
    uint32_t variable, number;
} known;

typedef struct knowledge {
    known *of; /* [count] */
    uint32_t count, capacity;
    uint32_t all; /* every number up to this one is known */
} knowledge;

static void learn(knowledge *k, uint32_t variable, uint32_t number)
{
    if (!number || number <= k->all)
        return;
    for (uint32_t i = 0; i < k->count; i++)
        if (k->of[i].variable == variable) {
            k->of[i].number = number > k->of[i].number ? number : k->of[i].number;
            return;
        }
    if (k->count == MOST_KNOWN || WS_GROW(k->of, k->capacity, k->count, 1)) {
        k->all = number;
        return;
    }
    k->of[k->count++] = (known){variable, number};
}

static void learn_all(knowledge *k, const knowledge *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        learn(k, from->of[i].variable, from->of[i].number);
    k->all = from->all > k->all ? from->all : k->all;
}

static bool knows(const knowledge *k, uint32_t variable, uint32_t number)
{
    if (number <= k->all)
        return true;
    for (uint32_t i = 0; i < k->count; i++)
        if (k->of[i].variable == variable)
            return number <= k->of[i].number;
    return false;
}

typedef struct clock_vector {
    uint32_t epoch[WS_RACE_WARPS]; /* up to which the accesses of each warp of the block came before */
} clock_vector;

static void join(clock_vector *to, const clock_vector *from, uint32_t warps)
{
    for (uint32_t i = 0; i < warps; i++)
        to->epoch[i] = from->epoch[i] > to->epoch[i] ? from->epoch[i] : to->epoch[i];
}

/* What a warp comes after, and what of it a fence has made visible: to the block, to all. */
typedef struct order {
    clock_vector seen, to_block, to_all;
    knowledge blocks, blocks_to_all; /* what is known of other blocks; and what of that was fenced */
} order;

static void join_order(order *to, const order *from, uint32_t warps)
{
    join(&to->seen, &from->seen, warps);
    join(&to->to_block, &from->to_block, warps);
    join(&to->to_all, &from->to_all, warps);
    learn_all(&to->blocks, &from->blocks);
    learn_all(&to->blocks_to_all, &from->blocks_to_all);
}

static void empty_order(order *o)
{
    memset(&o->seen, 0, sizeof o->seen);
    memset(&o->to_block, 0, sizeof o->to_block);
    memset(&o->to_all, 0, sizeof o->to_all);
    o->blocks.count = o->blocks.all = o->blocks_to_all.count = o->blocks_to_all.all = 0;
}

static void free_order(order *o)
{
    free(o->blocks.of);
    free(o->blocks_to_all.of);
}

/* ---- variables ---- */

/* A variable of global memory that was written after a fence that all see. */
typedef struct variable {
    uint32_t number;  /* of the latest such write */
    knowledge blocks; /* what those who wrote it knew of other blocks */
} variable;

/* Such a write, by a warp of a block: it left number `number` in the variable, and came after `before` of the block. */
typedef struct left {
    uint32_t variable, number;
    clock_vector before;
} left;

typedef struct left_list {
    left *of;
    uint32_t count, capacity;
} left_list;

/* ---- shadow ---- */

typedef struct note {
    uint32_t warp; /* in the launch; */
    uint32_t epoch;
    uint32_t pc;
    uint8_t lane, bytes; /* bytes: bit i for byte i of the word */
    uint8_t reach;
    uint8_t writes : 1, changes : 1, atomic : 1;
    uint32_t moment; /* strong reads before it */
} note;

typedef struct word {
    note first;
    uint32_t more; /* number of a link + 1; 0: none */
} word;

typedef struct link {
    note note;
    uint32_t next;
} link;

typedef struct page {
    word word[PAGE_WORDS];
} page;

/* When each warp of a block last read a variable by a strong access of any reach, and by one that reaches other blocks.
 */
typedef struct sight {
    uint32_t moment[WS_RACE_WARPS], moment_of_all[WS_RACE_WARPS]; /* 0: never */
    uint32_t epoch[WS_RACE_WARPS], epoch_of_all[WS_RACE_WARPS];
} sight;

struct ws_race_block {
    uint64_t index;
    uint32_t first_warp; /* number in the launch */
    uint32_t warps;
    uint32_t base; /* what epochs of the launch begin at */
    uint32_t now[WS_RACE_WARPS];
    order order[WS_RACE_WARPS];
    order barrier[WS_RACE_BARRIERS]; /* what came before those who arrived */
    ws_table meeting; /* clock_vector by key of a variable: what warps of the block left there for each other */
    ws_table sights;  /* sight by the same keys, of addresses / SIGHT_BYTES */
    page *shared;     /* [pages] */
    uint64_t pages;
    uint32_t released_epoch[WS_RACE_WARPS]; /* in which it left the latest number, and where: the same again says
                                               nothing new */
    uint64_t released_at[WS_RACE_WARPS];
    struct ws_race_block *next; /* of those that are spare */
};

struct ws_race {
    bool running;
    uint32_t warps;    /* of a block */
    uint32_t base;     /* epochs of this launch are at or above it, so older notes are void */
    uint32_t latest;   /* the highest epoch that any warp came to */
    uint32_t moment;   /* strong reads of this launch */
    uint32_t number;   /* of the latest write that left one, in this launch */
    ws_table page;     /* page * by address / PAGE_BYTES */
    uint64_t last_key; /* of the page that was found last; */
    page *last;        /* NULL: none */
    link *link;
    uint32_t links, link_capacity, free_link; /* free_link: number + 1 of the first that is free */
    ws_table variable;                        /* number + 1 in `of`, by address */
    variable *of;
    uint32_t variables, variable_capacity;
    ws_table by_block; /* number + 1 in `list`, by index of the block */
    left_list *list;
    uint32_t lists, list_capacity;
    ws_race_block *spare;
};

ws_race *ws_race_create(void)
{
    ws_race *const r = calloc(1, sizeof *r);
    if (r) {
        r->page = WS_TABLE(page *);
        r->variable = WS_TABLE(uint32_t);
        r->by_block = WS_TABLE(uint32_t);
        r->latest = 1;
    }
    return r;
}

static void forget_meetings(ws_race *r)
{
    for (uint32_t i = 0; i < r->variables; i++)
        free(r->of[i].blocks.of);
    for (uint32_t i = 0; i < r->lists; i++)
        free(r->list[i].of);
    r->variables = r->lists = r->number = 0;
    ws_table_clear(&r->variable);
    ws_table_clear(&r->by_block);
}

static void forget_pages(ws_race *r)
{
    uint64_t key;
    for (size_t i = 0; ws_table_next(&r->page, &i, &key); i++)
        free(*(page **)ws_table_value(&r->page, i));
    ws_table_clear(&r->page);
    r->last = NULL;
}

static void free_block(ws_race_block *b)
{
    for (unsigned i = 0; i < WS_RACE_WARPS; i++)
        free_order(&b->order[i]);
    for (unsigned i = 0; i < WS_RACE_BARRIERS; i++)
        free_order(&b->barrier[i]);
    ws_table_fini(&b->meeting);
    ws_table_fini(&b->sights);
    free(b->shared);
    free(b);
}

void ws_race_destroy(ws_race *r)
{
    if (!r)
        return;
    for (ws_race_block *b = r->spare, *next; b; b = next) {
        next = b->next;
        free_block(b);
    }
    forget_pages(r);
    forget_meetings(r);
    ws_table_fini(&r->page);
    ws_table_fini(&r->variable);
    ws_table_fini(&r->by_block);
    free(r->of);
    free(r->list);
    free(r->link);
    free(r);
}

bool ws_race_begin(ws_race *r, uint64_t blocks, uint32_t warps)
{
    if (r->running || warps > WS_RACE_WARPS || blocks > UINT32_MAX / warps)
        return false;
    if (r->latest > UINT32_MAX / 2) { /* numbers of epochs are running out */
        forget_pages(r);
        for (ws_race_block *b = r->spare; b; b = b->next)
            b->pages = 0;
        r->latest = 1;
    }
    r->running = true;
    r->warps = warps;
    r->base = r->latest + 1;
    r->links = r->free_link = r->moment = 0;
    forget_meetings(r);
    return true;
}

void ws_race_end(ws_race *r)
{
    r->running = false;
}

ws_race_block *ws_race_block_begin(ws_race *r, uint64_t index, uint64_t shared_bytes)
{
    ws_race_block *b = r->spare;
    const uint64_t pages = (shared_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    if (b)
        r->spare = b->next;
    else if ((b = calloc(1, sizeof *b))) {
        b->meeting = WS_TABLE(clock_vector);
        b->sights = WS_TABLE(sight);
    }
    if (b && pages > b->pages) {
        free(b->shared);
        b->shared = calloc(pages, sizeof *b->shared);
        b->pages = b->shared ? pages : 0;
    }
    if (!b || b->pages < pages) {
        if (b)
            free_block(b);
        return NULL;
    }
    b->index = index;
    b->warps = r->warps;
    b->base = r->base;
    b->first_warp = (uint32_t)(index * r->warps);
    ws_table_clear(&b->meeting);
    ws_table_clear(&b->sights);
    for (uint32_t i = 0; i < b->warps; i++) {
        b->now[i] = r->base;
        b->released_epoch[i] = 0;
        empty_order(&b->order[i]);
    }
    for (unsigned i = 0; i < WS_RACE_BARRIERS; i++)
        empty_order(&b->barrier[i]);
    return b;
}

void ws_race_block_end(ws_race *r, ws_race_block *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->warps; i++)
        r->latest = b->now[i] > r->latest ? b->now[i] : r->latest;
    b->next = r->spare;
    r->spare = b;
}

/* ---- order ---- */

/* What the warp did so far is over: another epoch begins. */
static void step(ws_race_block *b, uint32_t warp)
{
    b->order[warp].seen.epoch[warp] = b->now[warp]++;
}

void ws_race_arrive(ws_race_block *b, uint32_t warp, unsigned barrier)
{
    step(b, warp);
    join_order(&b->barrier[barrier], &b->order[warp], b->warps);
}

/* All that came before the barrier is visible to the block, as after a fence of its. */
void ws_race_pass(ws_race_block *b, uint32_t warp, unsigned barrier)
{
    order *const o = &b->order[warp];
    join_order(o, &b->barrier[barrier], b->warps);
    join(&o->to_block, &b->barrier[barrier].seen, b->warps);
}

void ws_race_close(ws_race_block *b, unsigned barrier)
{
    empty_order(&b->barrier[barrier]);
}

void ws_race_fence(ws_race_block *b, uint32_t warp, ws_race_reach reach)
{
    order *const o = &b->order[warp];
    step(b, warp);
    join(&o->to_block, &o->seen, b->warps);
    if (reach == WS_RACE_OF_ALL) {
        join(&o->to_all, &o->seen, b->warps);
        learn_all(&o->blocks_to_all, &o->blocks);
    }
}

/* Shared and global variables of one block in one table. */
static uint64_t meeting_key(bool shared, uint64_t address)
{
    return address << 1 | shared;
}

void ws_race_acquire(ws_race *r, ws_race_block *b, uint32_t warp, bool shared, uint64_t address, ws_race_reach reach)
{
    order *const o = &b->order[warp];
    const clock_vector *const here = ws_table_find(&b->meeting, meeting_key(shared, address));
    if (here)
        join(&o->seen, here, b->warps);
    sight *const s = ws_table_put(&b->sights, meeting_key(shared, address / SIGHT_BYTES));
    if (s) {
        s->moment[warp] = ++r->moment;
        s->epoch[warp] = b->now[warp];
    }
    if (s && reach == WS_RACE_OF_ALL) {
        s->moment_of_all[warp] = s->moment[warp];
        s->epoch_of_all[warp] = s->epoch[warp];
    }
    const uint32_t *const number = shared || reach != WS_RACE_OF_ALL ? NULL : ws_table_find(&r->variable, address);
    if (!number)
        return;
    learn(&o->blocks, *number, r->of[*number - 1].number);
    learn_all(&o->blocks, &r->of[*number - 1].blocks);
}

static bool is_empty(const clock_vector *v, uint32_t warps)
{
    for (uint32_t i = 0; i < warps; i++)
        if (v->epoch[i])
            return false;
    return true;
}

/* What is new since the warp wrote this variable last? Waiting by compare-and-swap would leave numbers without end. */
static bool says_more(ws_race_block *b, uint32_t warp, uint64_t address)
{
    const bool more = b->released_epoch[warp] != b->now[warp] || b->released_at[warp] != address;
    b->released_epoch[warp] = b->now[warp];
    b->released_at[warp] = address;
    return more;
}

static variable *variable_of(ws_race *r, uint64_t address, uint32_t *number)
{
    uint32_t *const slot = ws_table_put(&r->variable, address);
    if (!slot || (!*slot && WS_GROW(r->of, r->variable_capacity, r->variables, 1)))
        return NULL;
    if (!*slot) {
        r->of[r->variables] = (variable){0};
        *slot = ++r->variables;
    }
    *number = *slot;
    return &r->of[*slot - 1];
}

static left_list *list_of(ws_race *r, uint64_t block)
{
    uint32_t *const slot = ws_table_put(&r->by_block, block);
    if (!slot || (!*slot && WS_GROW(r->list, r->list_capacity, r->lists, 1)))
        return NULL;
    if (!*slot) {
        r->list[r->lists] = (left_list){0};
        *slot = ++r->lists;
    }
    return &r->list[*slot - 1];
}

static void leave_number(ws_race *r, ws_race_block *b, const order *o, uint64_t address)
{
    uint32_t number;
    variable *const v = variable_of(r, address, &number);
    left_list *const list = v ? list_of(r, b->index) : NULL;
    if (!list || WS_GROW(list->of, list->capacity, list->count, 1))
        return; /* no memory: what others know of this block is less than it could be */
    v->number = ++r->number;
    learn_all(&v->blocks, &o->blocks_to_all);
    list->of[list->count++] = (left){number, v->number, o->to_all};
}

bool ws_race_release(ws_race *r, ws_race_block *b, uint32_t warp, bool shared, uint64_t address, ws_race_reach reach)
{
    order *const o = &b->order[warp];
    if (is_empty(&o->to_block, b->warps))
        return false;
    if (!says_more(b, warp, meeting_key(shared, address)))
        return false;
    clock_vector *const here = ws_table_put(&b->meeting, meeting_key(shared, address));
    if (here)
        join(here, &o->to_block, b->warps);
    if (shared || reach != WS_RACE_OF_ALL ||
        (is_empty(&o->to_all, b->warps) && !o->blocks_to_all.count && !o->blocks_to_all.all))
        return false;
    leave_number(r, b, o, address);
    return true;
}

/* Whether a warp comes after what another one did, by what both know of variables in global memory. */
static bool comes_after_left(const ws_race *r, const knowledge *k, const note *n)
{
    const uint32_t *const number = k->count || k->all ? ws_table_find(&r->by_block, n->warp / r->warps) : NULL;
    if (!number)
        return false;
    const left_list *const list = &r->list[*number - 1];
    for (uint32_t i = list->count; i-- > 0;)
        if (list->of[i].before.epoch[n->warp % r->warps] >= n->epoch &&
            knows(k, list->of[i].variable, list->of[i].number))
            return true;
    return false;
}

static bool comes_after(const ws_race *r, const ws_race_block *b, uint32_t warp, const note *n)
{
    const uint32_t other = n->warp - b->first_warp; /* wraps around below it */
    const order *const o = &b->order[warp];
    if (other == warp)
        return true;
    if (other < b->warps && o->seen.epoch[other] >= n->epoch)
        return true;
    return comes_after_left(r, &o->blocks, n);
}

/* ---- memory ---- */

static page *page_of(ws_race *r, ws_race_block *b, bool shared, uint64_t address)
{
    const uint64_t key = address / PAGE_BYTES;
    if (shared)
        return key < b->pages ? &b->shared[key] : NULL;
    if (r->last && r->last_key == key)
        return r->last;
    page **const place = ws_table_put(&r->page, key);
    if (place && !*place)
        *place = calloc(1, sizeof **place);
    r->last = place ? *place : NULL;
    r->last_key = key;
    return r->last;
}

/* Both are atomic or volatile, and for each other. */
static bool both_strong(const note *old, const note *new, bool same_block)
{
    return old->reach && new->reach && (same_block || (old->reach == WS_RACE_OF_ALL && new->reach == WS_RACE_OF_ALL));
}

/* What is told by a later access that races with `old` is told of `new`, too, which came after it. */
static bool stands_for(const note *new, const note *old)
{
    return !(old->bytes & ~new->bytes) &&
           new->changes >= old->changes &&new->writes >= old->writes &&new->reach <= old->reach;
}

static bool is_void(const note *n, const ws_race_block *b, bool shared)
{
    return n->epoch < b->base || (shared && n->warp - b->first_warp >= b->warps);
}

/* Whether a warp comes after a strong access because it, or one of its block that it comes after, has read the variable
 * since. */
static bool has_seen(const ws_race_block *b, uint32_t warp, const sight *s, const note *n)
{
    const bool own = n->warp - b->first_warp < b->warps;
    if (!s || (!own && n->reach != WS_RACE_OF_ALL))
        return false;
    const uint32_t *const moment = own ? s->moment : s->moment_of_all, *const epoch = own ? s->epoch : s->epoch_of_all;
    for (uint32_t i = 0; i < b->warps; i++)
        if (moment[i] > n->moment && (i == warp || b->order[warp].seen.epoch[i] >= epoch[i]))
            return true;
    return false;
}

/* What walks over the accesses of a word needs and counts. */
typedef struct walk {
    ws_race *r;
    const ws_race_block *b;
    const note *new;
    uint32_t warp;
    const sight *sight; /* of the word; NULL: no strong read in this block */
    const note *met;    /* that it races with; NULL: none */
    note found;
    bool is_there;                /* one that stands for the new one */
    unsigned of_block, of_others; /* of its kind */
} walk;

/* False: the old one is not needed any more. */
static bool look_at(walk *k, const note *old)
{
    const note *const new = k->new;
    const bool same_block = old->warp / k->r->warps == new->warp / k->r->warps;
    const bool after = comes_after(k->r, k->b, k->warp, old) || (old->reach && has_seen(k->b, k->warp, k->sight, old));
    const bool collide = old->bytes & new->bytes && (new->changes || (old->changes && !new->writes));
    if (collide && !after && !both_strong(old, new, same_block) && !k->met) {
        k->found = *old;
        k->met = &k->found;
    }
    if (old->warp == new->warp && old->epoch == new->epoch &&stands_for(old, new))
        k->is_there = true;
    else if ((after || (new->atomic &&both_strong(old, new, same_block))) && stands_for(new, old))
        return false; /* an atomic comes after the strong accesses before it: who comes after it comes after them */
    const bool same_kind = old->changes == new->changes && old->writes == new->writes && old->reach == new->reach &&
                           !(new->bytes & ~old->bytes);
    k->of_block += same_kind && same_block;
    k->of_others += same_kind && !same_block;
    return true;
}

static uint32_t take_link(ws_race *r)
{
    if (r->free_link) {
        const uint32_t at = r->free_link - 1;
        r->free_link = r->link[at].next;
        return at + 1;
    }
    if (WS_GROW(r->link, r->link_capacity, r->links, 1))
        return 0;
    return ++r->links;
}

/* Goes through the list; what is not needed goes. `first.epoch` 0: the list is empty. */
static void walk_word(walk *k, word *w)
{
    ws_race *const r = k->r;
    uint32_t *from = &w->more;
    while (*from) {
        link *const l = &r->link[*from - 1];
        if (look_at(k, &l->note)) {
            from = &l->next;
            continue;
        }
        const uint32_t gone = *from;
        *from = l->next;
        l->next = r->free_link;
        r->free_link = gone;
    }
    if (look_at(k, &w->first))
        return;
    if (!w->more) {
        w->first.epoch = 0;
        return;
    }
    const uint32_t gone = w->more;
    link *const l = &r->link[gone - 1];
    w->first = l->note;
    w->more = l->next;
    l->next = r->free_link;
    r->free_link = gone;
}

static void add(ws_race *r, word *w, const note *new)
{
    if (!w->first.epoch) {
        w->first = *new;
        w->more = 0;
        return;
    }
    const uint32_t at = take_link(r);
    if (!at)
        return; /* no memory: a race may not be seen */
    r->link[at - 1] = (link){*new, w->more};
    w->more = at;
}

/* A list that nobody needs. */
static void give_back(ws_race *r, uint32_t list)
{
    while (list) {
        link *const l = &r->link[list - 1];
        const uint32_t next = l->next;
        l->next = r->free_link;
        r->free_link = list;
        list = next;
    }
}

/* True: a race, with *met. */
static bool see_word(ws_race *r, ws_race_block *b, uint32_t warp, bool shared, uint64_t at, word *w, const note *new,
                     note *met)
{
    if (is_void(&w->first, b, shared)) {
        if (w->first.epoch >= b->base)
            give_back(r, w->more);
        w->first = *new;
        w->first.changes |=
            shared &&
            new->writes; /* what stood in shared memory before is nobody's, also if it is the same by chance */
        w->more = 0;
        return false;
    }
    if (!w->more && w->first.warp == new->warp && w->first.epoch == new->epoch &&stands_for(&w->first, new))
        return false;
    walk k = {.r = r,
              .b = b,
              .new = new,
              .warp = warp,
              .sight = ws_table_find(&b->sights, meeting_key(shared, at / SIGHT_BYTES))};
    walk_word(&k, w);
    const bool enough = k.of_block >= MOST_OF_BLOCK || (!k.of_block && k.of_others >= MOST_OF_OTHERS);
    if (!k.is_there && !enough)
        add(r, w, new);
    if (k.met)
        *met = k.found;
    return k.met;
}

bool ws_race_see(ws_race *r, ws_race_block *b, const ws_race_access *a, bool shared, uint64_t address, unsigned bytes,
                 ws_race_other *other)
{
    note new = {.warp = b->first_warp + a->warp,
                .epoch = b->now[a->warp],
                .pc = a->pc,
                .lane = a->lane,
                .reach = a->reach,
                .writes = a->writes,
                .changes = a->changes,
                .atomic = a->atomic,
                .moment = r->moment};
    bool race = false;
    for (uint64_t at = address / WORD * WORD; at < address + bytes; at += WORD) {
        const uint64_t low = at > address ? at : address,
                       high = address + bytes - at < WORD ? address + bytes : at + WORD;
        page *const p = page_of(r, b, shared, at);
        note met;
        if (!p)
            continue;
        new.bytes = (uint8_t)(((1u << (high - low)) - 1) << (low - at));
        if (!see_word(r, b, a->warp, shared, at, &p->word[at % PAGE_BYTES / WORD], &new, &met) || race)
            continue;
        race = true;
        *other = (ws_race_other){.access = {.warp = met.warp % r->warps,
                                            .pc = met.pc,
                                            .lane = met.lane,
                                            .reach = met.reach,
                                            .writes = met.writes,
                                            .atomic = met.atomic,
                                            .changes = met.changes},
                                 .block = met.warp / r->warps,
                                 .address = at + (unsigned)__builtin_ctz(met.bytes & new.bytes)};
    }
    return race;
}

void ws_race_forget(ws_race *r, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    for (uint64_t key = address / PAGE_BYTES; key * PAGE_BYTES < end; key++) {
        page *const *const place = ws_table_find(&r->page, key);
        for (unsigned i = 0; place && *place && i < PAGE_WORDS; i++) {
            const uint64_t at = key * PAGE_BYTES + i * WORD;
            if (at + WORD > address && at < end)
                (*place)->word[i].first.epoch = 0; /* below any base: void; its links are free when the launch ends */
        }
    }
}
