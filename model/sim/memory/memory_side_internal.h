/* memory_side_internal.h - what the memory side of a machine is made of. */
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
enum { BURSTS_KEPT = 4 }; /* for each request that a slice keeps, before it takes no more: those of a line, mostly */
#define LOCAL ((uint64_t)1 << 63) /* with a message of an SM or a slice that stays at its node: in no network */
enum { SLICE_QUEUES = 6, CHANNEL_QUEUES = 2, HOME_QUEUES = 3 };
enum { READ_ONLY = WS_MESSAGE_COUNT }; /* place of the messages of texture and constant caches among those by type */

/* A read of memory that is under way: the answer is complete when all its bursts are there. */
typedef struct fetch {
    uint64_t line;
    uint32_t mask, slice, left, next;
    uint32_t atomic; /* the message that it is for; NO_ITEM: the slice, or the L3 before the channel */
    uint32_t padding;
} fetch;

/* An L2 slice with what waits for it and what it wants to send. Its numbers are the machine's. */
typedef struct slice {
    struct ws_memory_side *side;
    uint8_t *cache;
    union {
        struct {
            ws_fifo in;    /* requests: cycle from which they may be served, message */
            ws_fifo out;   /* answers: cycle, message */
            ws_fifo told;  /* what the hub has to say, likewise; goes first */
            ws_fifo fills; /* fetches that are complete */
            ws_fifo early; /* requests that overtook one of their SM on the way: number << 32 | message */
            ws_fifo down;  /* what it asks of homes anywhere: cycle, message */
        };
        ws_fifo queue[SLICE_QUEUES]; /* all of these */
    };
    ws_chip_buffer *sums; /* its part of the chip's buffer of updates; NULL: none */
    bool refused;         /* the first request was, and nothing has changed since */
    uint64_t free;        /* when it has looked up all that the request before asked for: l2.port */
    uint64_t warm;        /* accesses, of sectors where the cache has such, that found what the host wrote */
    uint64_t wake;        /* when the cache wants to be told that time went on */
    uint32_t number, node, chip, channel;
} slice;

typedef struct channel {
    void *memory; /* a ws_memory_channel_ops' */
    union {
        struct {
            ws_fifo wanted;  /* requests that the channel has not taken: address << 1 | write, fetch */
            ws_fifo arrived; /* reads that have their data: cycle, fetch */
        };
        ws_fifo queue[CHANNEL_QUEUES];
    };
} channel;

/* Where lines of a channel are at home: the L3 before it, and what comes from other chips. Numbered as channels are. */
typedef struct home {
    struct ws_memory_side *side;
    uint8_t *cache; /* part of the L3; NULL: there is none */
    union {
        struct {
            ws_fifo in;    /* what slices ask the L3: cycle from which it may be served, message */
            ws_fifo fills; /* fetches for the L3 that are complete */
            ws_fifo up;    /* answers to slices of other chips: cycle, message */
        };
        ws_fifo queue[HOME_QUEUES];
    };
    bool refused; /* the first request was, and nothing has changed since */
    uint32_t number, chip;
} home;

/* A chip: two networks between its SMs and its slices. At a node is one of them, or a slice with the SMs of its
 * cluster, or the way to other chips. */
typedef struct chip {
    uint32_t number, gateway; /* gateway: a node; NO_ITEM in a machine of one chip */
    ws_network *network[WS_DIRECTIONS];
    uint32_t *slice_at;              /* [nodes]: where there is one */
    ws_fifo leaving[WS_DIRECTIONS];  /* messages that wait for the link: cycle, number << 32 | message */
    ws_fifo entering[WS_DIRECTIONS]; /* that came over it */
} chip;

/* What crosses between chips, and how a slice reaches memory. side_requests_cross: requests of SMs cross, to the slice
 * at the home of the line; also for machines of one chip. side_slices_cross: slices keep what their own chip asks for,
 * and their requests to homes cross. */
typedef struct side_crossing {
    /* The slice that serves a request of an SM. A page that is placed by its first touch is placed now. */
    int (*keeper)(ws_memory_side *side, const ws_coherence_message *m, slice **out);
    /* The number of the home of a line that a slice asks for. The slice sends that home a DRAM_READ, DRAM_WRITE or
     * ATOMIC. Whether there is room for its next request. */
    int (*home_of)(ws_memory_side *side, const slice *l, uint64_t line, uint32_t *number);
    int (*ask)(ws_memory_side *side, slice *l, uint32_t number, const ws_coherence_message *m);
    bool (*has_room)(const ws_memory_side *side, const slice *l);
    /* The chip to which a message goes over the link. */
    int (*target)(ws_memory_side *side, ws_direction d, uint64_t tag, uint32_t *to_chip);
    /* Messages that came over the link: `enter` puts them into the networks of the chip; `run`, later in a cycle,
     * brings them to homes and slices. NULL: the other one does. */
    int (*enter)(ws_memory_side *side, chip *c, ws_direction d);
    int (*run)(ws_memory_side *side);
    bool (*enters)(const ws_memory_side *side, const chip *c, ws_direction d); /* can the first of them go now? */
    /* Sends answers back over the link, before the reply networks run. NULL: these carry them. */
    int (*send_back)(ws_memory_side *side);
} side_crossing;
extern const side_crossing side_requests_cross, side_slices_cross;

/* How slices that keep lines of other chips agree: memory_side_agree.c. */
typedef struct agreement {
    const ws_chiplet_policy_ops *policy;
    ws_slice_map copies; /* which slice of a chip keeps a line */
    ws_package_table table;
    ws_cct *cct;                               /* NULL: none */
    ws_directory *directory[WS_CHIPLETS_MOST]; /* of each chip; NULL: none */
    ws_chip_versions *versions;                /* NULL: not checked */
    /* Fills in the note of a request that is at its slice. NULL: the home of a line is looked up when L2 asks for it,
     * and requests are not counted. */
    int (*look)(ws_memory_side *side, const slice *l, ws_coherence_message *m);
    uint8_t note[WS_MESSAGE_COUNT]; /* of requests for lines that are at home on other chips: WS_AGREE_... */
    uint32_t end_releases;          /* chips that write back when the launch ends */
    ws_package_counts counts;
    /* Buffers of updates of chips: memory_side_sums.c. With versions, messages count the operations that they bring,
     * which are followed to the homes. */
    struct {
        bool open;         /* in this launch */
        uint64_t followed; /* operations, so far */
        ws_table ledger;   /* line * MOST_WORDS + word -> int64_t, of those that have not come home */
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
    uint8_t *arrays;                       /* all of these whose size only the machine says: */
    chip *chip;
    uint32_t *slice_at; /* of all chips, one after the other */
    slice *slice;
    channel *channel;
    home *home;                  /* [channels] */
    uint32_t *sm_node;           /* within its chip */
    ws_fifo *sending, *received; /* [sms]; sending: cycle, message, with LOCAL where that is for a slice of its node. So
                                    are slices' answers */
    uint32_t *sent_to,
        *taken_from; /* [side_lanes]: requests so far, at either end, of an SM to a slice, and to a hub */
    ws_network *link[WS_DIRECTIONS]; /* between chips, which are its nodes; NULL in a machine of one */
    ws_message_pool messages;
    fetch *fetch;
    uint32_t free_fetch, fetch_room;
    uint8_t *hub; /* of all slices; NULL where they share nothing */
    ws_memory_image image;
    ws_copied_lines copied;
    struct {
        uint64_t sent[WS_MESSAGE_COUNT + 1], sent_bytes[WS_MESSAGE_COUNT + 1];
        uint64_t stalls[WS_DIRECTIONS];
        uint64_t l3_fills;
    } counted;
    uint64_t now;
    uint16_t epoch; /* of all slices */
    /* The cycle to execute next. *blocked: a message may be waiting for room in a network until then. */
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

/* Cycles of a clock that have begun when `core` core cycles have. */
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

/* Core cycles that so many of that clock last, rounded up. */
static inline uint64_t side_core_cycles(const ws_machine *m, uint32_t khz, uint64_t own)
{
    return (own * m->chip_core_clock + khz - 1) / khz;
}

/* The core cycle in which cycle `own` of that clock is executed. */
static inline uint64_t side_core_cycle(const ws_machine *m, uint32_t khz, uint64_t own)
{
    return own == WS_NEVER ? WS_NEVER : side_core_cycles(m, khz, own + 1) - 1;
}

static inline uint64_t side_sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Is there room for one more message between a chip and the link? */
static inline bool side_border_has_room(const ws_memory_side *side, const ws_fifo *queue)
{
    return queue->count < side->machine->link_queue;
}

/* Does the SM reach the slice without the network? */
static inline bool side_is_local(const ws_memory_side *side, const slice *l, uint32_t sm)
{
    return side->machine->network_cluster && side->sm_node[sm] == l->node;
}

/* Does an answer of the slice pass no network? */
static inline bool side_answers_locally(const ws_memory_side *side, const slice *l, const ws_coherence_message *m)
{
    return side_is_local(side, l, m->sm) || (m->type == WS_MESSAGE_ACK && !side->machine->network_acks);
}

/* The slice has an answer for an SM. */
static inline int side_answer(ws_memory_side *side, slice *l, uint32_t message)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, message);
    return ws_fifo_add(&l->out, side->now, message | (side_answers_locally(side, l, m) ? LOCAL : 0));
}

/* The hub has: the slice sends it when that is ready. */
static inline int side_tell(ws_memory_side *side, slice *l, uint32_t message)
{
    const ws_coherence_message *const m = ws_message_pool_at(&side->messages, message);
    const uint64_t delay = side->l2->ops->hub->delay(side->l2->shared, side->hub, side->now);
    return ws_fifo_add(&l->told, side->now + delay, message | (side_answers_locally(side, l, m) ? LOCAL : 0));
}

/* Those of read-only caches, which follow no protocol, are counted apart. */
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

/* Sectors of L2 that words touch, all for a message without a mask; of caches that follow a protocol and have none, 1.
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

/* A message with nothing else set. */
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

/* Invalidates the slice's copy of words that others have written. Returns what the slice's `message` does. */
int side_take_copy(ws_memory_side *side, slice *l, uint64_t block, uint32_t mask);
int side_tell_slice(ws_memory_side *side, slice *l, const ws_coherence_message *m);

/* Does a line stay in its slice, clean, when that is released? Called with the slice. */
typedef bool ws_slice_stays(void *context, uint64_t block);
ws_slice_stays side_is_at_home;
int side_release_slice(ws_memory_side *side, slice *l, ws_slice_stays *stays);

/* --- memory_side_agree.c: slices of several chips, from one launch to the next; called where there is an agreement ---
 */

enum { WS_AGREE_NO_LINE = UINT16_MAX };

int agree_make(ws_memory_side *side, bool check); /* of any machine: most have none */
void agree_fini(ws_memory_side *side);
/* A request of an SM was taken, by the slice or its buffer of updates. */
void agree_count_served(ws_memory_side *side, const slice *l, const ws_coherence_message *m);
/* The slice sends an answer to an SM, or asks a home. WS_EVERIFY: words are out of date. */
int agree_follow(ws_memory_side *side, const slice *l, const ws_coherence_message *m);
/* What a slice of chip `from` asks has come to the home; an invalidation has come to a chip. */
int agree_at_home(ws_memory_side *side, home *h, const ws_coherence_message *m, uint32_t from);
int agree_give_up(ws_memory_side *side, uint32_t on_chip, const ws_coherence_message *m);
int agree_end_launch(ws_memory_side *side);
void agree_save(const ws_memory_side *side, ws_bytes *bytes);
int agree_load(ws_memory_side *side, ws_reader *reader);

/* --- memory_side_sums.c: updates of the SMs of a chip, summed up --- */

enum { WS_SUMS_ID = UINT16_MAX - 1 }; /* id of an ATOMIC that no SM waits for, and of its answer */

int sums_make(ws_memory_side *side);
void sums_fini(ws_memory_side *side);
/* A request of an SM is at the slice: is it for its buffer? That takes it, and answers. What was taken counts then. */
bool sums_want(const ws_memory_side *side, const slice *l, const ws_coherence_message *m);
void sums_count(ws_memory_side *side, const slice *l, const ws_coherence_message *m);
int sums_take(ws_memory_side *side, slice *l, const ws_coherence_message *m);
int sums_at_home(ws_memory_side *side, const ws_coherence_message *m);
int sums_flush(ws_memory_side *side);      /* all leave */
int sums_end_launch(ws_memory_side *side); /* WS_EVERIFY: they were not all performed */
void sums_save(const ws_memory_side *side, ws_bytes *bytes);
int sums_load(ws_memory_side *side, ws_reader *reader);

/* --- memory_side_home.c: from slices to the homes of lines, and back --- */

/* The slice of a chip that keeps a line, wherever it is at home: where slices keep what their own chip asks for. */
slice *home_keeper(ws_memory_side *side, uint32_t on_chip, uint64_t line);
/* DRAM_READ, DRAM_WRITE, or an ATOMIC that is performed at the line's home. Words that the host copied are there at
 * once; all else goes as the crossing says. */
int home_ask(ws_memory_side *side, slice *l, const ws_coherence_message *m);
/* Of side_requests_cross: the L3 or the channel of the slice's own chip. */
int home_of_near(ws_memory_side *side, const slice *l, uint64_t line, uint32_t *number);
int home_ask_near(ws_memory_side *side, slice *l, uint32_t number, const ws_coherence_message *m);
bool home_has_room_near(const ws_memory_side *side, const slice *l);
/* Can something move that the slice has asked? */
bool home_can_take(const ws_memory_side *side, const slice *l);
/* The slice has got what the fetch brought. */
void home_end_fetch(ws_memory_side *side, uint32_t index);
/* A core cycle: the L3, where there is one; a channel that does not sleep. */
int home_run_l3(ws_memory_side *side, uint64_t l2_cycles);
int home_run_channel(ws_memory_side *side, uint32_t number, uint64_t until);
/* When the next of these happens at a home, its channel left out. */
uint64_t home_time(const ws_memory_side *side, uint32_t number, uint64_t now);

static inline size_t side_lanes(const ws_memory_side *side)
{
    return (size_t)side->sms * (side->slices + 1);
}

#endif
