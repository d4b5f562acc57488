/* memory_side_internal.h - components of the memory side of a machine. */
#ifndef WS_MEMORY_SIDE_INTERNAL_H
#define WS_MEMORY_SIDE_INTERNAL_H

#include "model/sim/memory/chip_buffer.h"
#include "model/sim/memory/chip_versions.h"
#include "model/coherence/sm_cache.h"
#include "model/cycle.h"
#include "base/fifo.h"
#include "model/machine/home.h"
#include "model/machine/machine.h"
#include "model/sim/memory/memory_channel.h"
#include "model/sim/memory/memory_image.h"
#include "model/sim/memory/memory_side.h"
#include "model/sim/memory/message_pool.h"
#include "model/machine/package_coherence.h"

#include <string.h>

enum { NO_ITEM = UINT32_MAX, WORD_BYTES = 4, MOST_WORDS = 32 };
enum { BURSTS_KEPT = 4 }; /* limit of the bursts that wait for a channel, per request: mostly the bursts of a line */
#define LOCAL ((uint64_t)1 << 63) /* with a message of an SM or a slice that stays at its node: it uses no network */
enum { SLICE_QUEUES = 6, CHANNEL_QUEUES = 2, HOME_QUEUES = 3 };
enum { READ_ONLY = WS_MESSAGE_COUNT }; /* index of the messages of texture and constant caches among those by type */

/* Outstanding read of memory; the answer is complete when all its bursts have arrived. */
typedef struct fetch {
    uint64_t line;
    uint32_t mask, slice, left, next;
    uint32_t atomic; /* the message it is for; NO_ITEM: the slice, or the L3 at the channel */
    uint32_t padding;
} fetch;

/* L2 slice with its waiting requests and outgoing messages. Its numbers are the machine's. */
typedef struct slice {
    struct ws_memory_side *side;
    uint8_t *cache;
    union {
        struct {
            ws_fifo in;    /* requests: cycle from which they may be served, message */
            ws_fifo out;   /* answers: cycle, message */
            ws_fifo told;  /* messages of the hub, likewise; with priority */
            ws_fifo fills; /* completed fetches */
            ws_fifo early; /* requests that overtook one of their SM on the way: number << 32 | message */
            ws_fifo down;  /* requests to homes: cycle, message */
        };
        ws_fifo queue[SLICE_QUEUES]; /* all queues */
    };
    ws_chip_buffer *sums; /* its part of the chip's buffer of updates; NULL: none */
    bool refused;         /* the first request was refused, and nothing has changed since */
    uint64_t free;        /* when all lookups of the previous request are done: l2.port */
    uint64_t last, again; /* line of that request, and when it takes the next for it: l2.repeat */
    uint64_t warm;        /* accesses, of sectors in a sectored cache, that found host data */
    uint64_t wake;        /* next time at which the cache must be advanced */
    uint32_t number, node, chip, channel;
} slice;

typedef struct channel {
    void *memory; /* of a ws_memory_channel_ops */
    union {
        struct {
            ws_fifo wanted;  /* requests not yet taken by the channel: address << 1 | write, fetch */
            ws_fifo arrived; /* reads with their data: cycle, fetch */
        };
        ws_fifo queue[CHANNEL_QUEUES];
    };
} channel;

/* Home of a channel's lines: its L3, and requests from other chips. Numbered like channels. */
typedef struct home {
    struct ws_memory_side *side;
    uint8_t *cache; /* part of the L3; NULL: none */
    union {
        struct {
            ws_fifo in;    /* requests of slices to the L3: first cycle of service, message */
            ws_fifo fills; /* completed fetches for the L3 */
            ws_fifo up;    /* answers to slices of other chips: cycle, message */
        };
        ws_fifo queue[HOME_QUEUES];
    };
    bool refused; /* the first request was refused, and nothing has changed since */
    uint32_t number, chip;
} home;

/* Chip: two networks between its SMs and its slices. A node has one of them, a slice with the SMs of its cluster, or
 * the port to other chips. */
typedef struct chip {
    uint32_t number, gateway; /* gateway: a node; NO_ITEM in a machine of one chip */
    ws_network *network[WS_DIRECTIONS];
    uint32_t *slice_at;              /* [nodes]: the slice there, if any */
    ws_fifo leaving[WS_DIRECTIONS];  /* messages that wait for the link: cycle, number << 32 | message */
    ws_fifo entering[WS_DIRECTIONS]; /* messages that came over it */
} chip;

/* Messages between chips, and the path of a slice to memory. side_requests_cross: requests of SMs cross, to the slice
 * at the home of the line; also for machines of one chip. side_slices_cross: slices keep lines requested by their own
 * chip, and their requests to homes cross. */
typedef struct side_crossing {
    /* Finds the slice that serves a request of an SM. A page placed at its first touch is placed now. */
    int (*keeper)(ws_memory_side *side, const ws_coherence_message *m, slice **out);
    /* Return the number of the home of a line that a slice requests; send that home a DRAM_READ, DRAM_WRITE or ATOMIC;
     * return whether there is room for the next request. */
    int (*home_of)(ws_memory_side *side, const slice *l, uint64_t line, uint32_t *number);
    int (*ask)(ws_memory_side *side, slice *l, uint32_t number, const ws_coherence_message *m);
    bool (*has_room)(const ws_memory_side *side, const slice *l);
    /* Finds the destination chip of a message on the link. */
    int (*target)(ws_memory_side *side, ws_direction d, uint64_t tag, uint32_t *to_chip);
    /* Messages that came over the link: `enter` puts them into the networks of the chip; `run`, later in a cycle,
     * delivers them to homes and slices. One of them is NULL. */
    int (*enter)(ws_memory_side *side, chip *c, ws_direction d);
    int (*run)(ws_memory_side *side);
    bool (*enters)(const ws_memory_side *side, const chip *c, ws_direction d); /* the first of them can go now */
    /* Sends answers back over the link, before the reply networks run. NULL: the reply networks carry them. */
    int (*send_back)(ws_memory_side *side);
} side_crossing;
extern const side_crossing side_requests_cross, side_slices_cross;

/* Coherence of slices that keep lines of other chips: memory_side_agree.c. */
typedef struct agreement {
    const ws_chiplet_policy_ops *policy;
    ws_slice_map copies; /* slice of a chip that keeps a line */
    ws_package_table table;
    ws_cct *cct;                               /* NULL: none */
    ws_directory *directory[WS_CHIPLETS_MOST]; /* of each chip; NULL: none */
    ws_chip_versions *versions;                /* NULL: not checked */
    /* Sets the note of a request at its slice. NULL: the home of a line is determined at the request of L2, and
     * requests are not counted. */
    int (*look)(ws_memory_side *side, const slice *l, ws_coherence_message *m);
    uint8_t note[WS_MESSAGE_COUNT]; /* of requests for lines with a home on another chip: WS_AGREE_... */
    uint32_t end_releases;          /* chips that write back when the launch ends */
    ws_package_counts counts;
    /* Update buffers of chips: memory_side_sums.c. With versions, messages count their operations, which are tracked to
     * the homes. */
    struct {
        bool open;         /* in this launch */
        uint64_t followed; /* operations, so far */
        ws_table ledger;   /* line * MOST_WORDS + word -> int64_t, of operations that have not reached the home */
    } sums;
} agreement;

struct ws_memory_side {
    const ws_machine *machine;
    const ws_level *l1;
    const ws_level *l2;
    const ws_level *l3; /* NULL: none */
    const ws_memory_channel_ops *memory;
    ws_memory_checker *checker;
    ws_homes homes;
    const side_crossing *crossing;
    agreement *agreement;                  /* NULL: slices keep no lines of other chips */
    uint32_t chips, sms, slices, channels; /* of the machine */
    uint32_t nodes;                        /* of a chip */
    uint8_t *arrays;                       /* memory of the arrays whose size depends on the machine: */
    chip *chip;
    uint32_t *slice_at; /* of all chips, in order */
    slice *slice;
    channel *channel;
    home *home;        /* [channels] */
    uint32_t *sm_node; /* within its chip */
    ws_fifo *sending,
        *received; /* [sms]; sending: cycle, message, with LOCAL for a slice of its node. Slices' answers likewise */
    uint32_t *sent_to,
        *taken_from; /* [side_lanes]: requests so far, at either end, from an SM to a slice, and to a hub */
    ws_network *link[WS_DIRECTIONS]; /* between chips, which are its nodes; NULL in a machine of one */
    ws_message_pool messages;
    fetch *fetch;
    uint32_t free_fetch, fetch_room;
    uint8_t *hub; /* of all slices; NULL if they share nothing */
    ws_memory_image image;
    ws_copied_lines copied;
    struct {
        uint64_t sent[WS_MESSAGE_COUNT + 1], sent_bytes[WS_MESSAGE_COUNT + 1];
        uint64_t stalls[WS_DIRECTIONS];
        uint64_t l3_fills;
    } counted;
    uint64_t now;
    uint16_t epoch; /* of all slices */
    /* Returns the next cycle to execute. *blocked: a message may wait for room in a network until then. */
    uint64_t (*next)(const ws_memory_side *side, uint64_t now, bool *blocked);
    int failed;
};

static inline void side_save_queues(const ws_fifo *queue, uint32_t count, ws_bytes *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        ws_fifo_save(&queue[i], bytes);
}

static inline int side_load_queues(ws_fifo *queue, uint32_t count, ws_reader *reader)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = ws_fifo_load(&queue[i], reader);
    return status;
}

static inline void side_free_queues(ws_fifo *queue, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ws_fifo_fini(&queue[i]);
}

/* Returns the cycles of a clock that have begun when `core` core cycles have. */
static inline uint64_t own_cycles(const ws_machine *m, uint32_t khz, uint64_t core)
{
    return core * khz / m->chip_core_clock;
}

static inline uint32_t memory_khz(const ws_memory_side *side)
{
    return (uint32_t)(side->machine->shape.part.clock_mhz * 1000 + 0.5);
}

static inline uint32_t chip_of_sm(const ws_memory_side *side, uint32_t sm)
{
    return side->chips == 1 ? 0 : sm / side->machine->chip_sms;
}

/* Returns the core cycles of `own` cycles of that clock, rounded up. */
static inline uint64_t side_core_cycles(const ws_machine *m, uint32_t khz, uint64_t own)
{
    return (own * m->chip_core_clock + khz - 1) / khz;
}

/* Returns the core cycle in which cycle `own` of that clock is executed. */
static inline uint64_t side_core_cycle(const ws_machine *m, uint32_t khz, uint64_t own)
{
    return own == WS_NEVER ? WS_NEVER : side_core_cycles(m, khz, own + 1) - 1;
}

static inline uint64_t side_sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns whether there is room for another message between a chip and the link. */
static inline bool side_border_has_room(const ws_memory_side *side, const ws_fifo *queue)
{
    return queue->count < side->machine->link_queue;
}

/* Returns whether the SM reaches the slice without the network. */
static inline bool side_is_local(const ws_memory_side *side, const slice *l, uint32_t sm)
{
    return side->machine->network_cluster && side->sm_node[sm] == l->node;
}

/* Returns whether an answer of the slice bypasses the network. */
static inline bool side_answers_locally(const ws_memory_side *side, const slice *l, const ws_coherence_message *m)
{
    return side_is_local(side, l, m->sm) || (m->type == WS_MESSAGE_ACK && !side->machine->network_acks);
}

/* Queues an answer of the slice to an SM. */
static inline int side_answer(ws_memory_side *side, slice *l, uint32_t message)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, message);
    return ws_fifo_add(&l->out, side->now, message | (side_answers_locally(side, l, m) ? LOCAL : 0));
}

/* Queues an answer of the hub, which the slice sends when it is ready. */
static inline int side_tell(ws_memory_side *side, slice *l, uint32_t message)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, message);
    const uint64_t delay = side->l2->ops->hub->delay(side->l2->shared, side->hub, side->now);
    return ws_fifo_add(&l->told, side->now + delay, message | (side_answers_locally(side, l, m) ? LOCAL : 0));
}

/* Counts a message; those of read-only caches, which follow no protocol, are separate. */
static inline void side_count_message(ws_memory_side *side, const ws_coherence_message *m, uint32_t bytes)
{
    const bool read_only = (m->unit & WS_SM_UNIT_CACHE) != WS_SM_DATA;
    side->counted.sent[read_only ? READ_ONLY : m->type]++;
    side->counted.sent_bytes[read_only ? READ_ONLY : m->type] += bytes;
}

static inline uint32_t side_all_words(const ws_memory_side *side)
{
    return UINT32_MAX >> (MOST_WORDS - side->machine->l2_line / WORD_BYTES);
}

/* Returns the sectors of L2 that words touch: all without a mask; 1 for caches with a protocol, which have no sectors.
 */
static inline uint32_t side_sectors(const ws_memory_side *side, uint32_t words)
{
    const uint32_t of_sector = side->machine->l2_sector / WORD_BYTES;
    uint32_t sectors = 0;
    if (ws_machine_has_protocol(side->machine))
        return 1;
    for (uint32_t first = 0; first < side->machine->l2_line / WORD_BYTES; first += of_sector)
        sectors += !words || words >> first & UINT32_MAX >> (MOST_WORDS - of_sector);
    return sectors;
}

/* Returns a message with all other members zero. */
static inline ws_coherence_message side_message(ws_message_type type, uint64_t block, uint32_t mask)
{
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.type = (uint8_t)type;
    m.block = block;
    m.mask = mask;
    return m;
}

/* --- memory_side.c --- */

/* Invalidates the slice's copy of words that others have written. Returns as the slice's `message`. */
int side_take_copy(ws_memory_side *side, slice *l, uint64_t block, uint32_t mask);
int side_tell_slice(ws_memory_side *side, slice *l, const ws_coherence_message *m);

/* Returns whether a line stays in its slice, clean, at a release. `context` is the slice. */
typedef bool ws_slice_stays(void *context, uint64_t block);
ws_slice_stays side_is_at_home;
int side_release_slice(ws_memory_side *side, slice *l, ws_slice_stays *stays);

/* --- memory_side_agree.c: slices of several chips, from one launch to the next; called where there is an agreement ---
 */

enum { WS_AGREE_NO_LINE = UINT16_MAX };

int agree_make(ws_memory_side *side, bool check); /* for any machine; most have none */
void agree_fini(ws_memory_side *side);
/* A request of an SM was taken, by the slice or its update buffer. */
void agree_count_served(ws_memory_side *side, const slice *l, const ws_coherence_message *m);
/* The slice sends an answer to an SM, or a request to a home. WS_EVERIFY: words are out of date. */
int agree_follow(ws_memory_side *side, const slice *l, const ws_coherence_message *m);
/* A request of a slice of chip `from` has reached the home; an invalidation has reached a chip. */
int agree_at_home(ws_memory_side *side, home *h, const ws_coherence_message *m, uint32_t from);
int agree_give_up(ws_memory_side *side, uint32_t on_chip, const ws_coherence_message *m);
int agree_end_launch(ws_memory_side *side);
void agree_save(const ws_memory_side *side, ws_bytes *bytes);
int agree_load(ws_memory_side *side, ws_reader *reader);

/* --- memory_side_sums.c: combined updates of the SMs of a chip --- */

enum { WS_SUMS_ID = UINT16_MAX - 1 }; /* id of an ATOMIC without a waiting SM, and of its answer */

int sums_make(ws_memory_side *side);
void sums_fini(ws_memory_side *side);
/* Return whether a request of an SM at the slice is for its update buffer; count a taken one; take it and answer. */
bool sums_want(const ws_memory_side *side, const slice *l, const ws_coherence_message *m);
void sums_count(ws_memory_side *side, const slice *l, const ws_coherence_message *m);
int sums_take(ws_memory_side *side, slice *l, const ws_coherence_message *m);
int sums_at_home(ws_memory_side *side, const ws_coherence_message *m);
int sums_flush(ws_memory_side *side);      /* sends all */
int sums_end_launch(ws_memory_side *side); /* WS_EVERIFY: not all were performed */
void sums_save(const ws_memory_side *side, ws_bytes *bytes);
int sums_load(ws_memory_side *side, ws_reader *reader);

/* --- memory_side_home.c: from slices to the homes of lines, and back --- */

/* Returns the slice of a chip that keeps a line of any home, for slices that keep lines requested by their own chip. */
slice *home_keeper(ws_memory_side *side, uint32_t on_chip, uint64_t line);
/* Sends DRAM_READ, DRAM_WRITE, or an ATOMIC performed at the line's home. Words that the host copied arrive at once;
 * all other requests go as the crossing says. */
int home_ask(ws_memory_side *side, slice *l, const ws_coherence_message *m);
/* For side_requests_cross: the L3 or the channel of the slice's own chip. */
int home_of_near(ws_memory_side *side, const slice *l, uint64_t line, uint32_t *number);
int home_ask_near(ws_memory_side *side, slice *l, uint32_t number, const ws_coherence_message *m);
bool home_has_room_near(const ws_memory_side *side, const slice *l);
/* Returns whether a request of the slice can move. */
bool home_can_take(const ws_memory_side *side, const slice *l);
/* The slice has received the data of the fetch. */
void home_end_fetch(ws_memory_side *side, uint32_t index);
/* Execute a core cycle of the L3, if any; of a channel that does not sleep. */
int home_run_l3(ws_memory_side *side, uint64_t l2_cycles);
int home_run_channel(ws_memory_side *side, uint32_t number, uint64_t until);
/* Returns the time of the next event at a home, without its channel. */
uint64_t home_time(const ws_memory_side *side, uint32_t number, uint64_t now);

static inline size_t side_lanes(const ws_memory_side *side)
{
    return (size_t)side->sms * (side->slices + 1);
}

#endif
