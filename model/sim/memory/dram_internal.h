/* dram_internal.h - state of a memory channel, and interface of its controller.
 *
 * The channel keeps requests in two bounded queues, sorted by bank, and the earliest time of each command. It calls the
 * controller, at most once a cycle, to choose a command. */
#ifndef WS_DRAM_INTERNAL_H
#define WS_DRAM_INTERNAL_H

#include "base/layout.h"
#include "model/machine/dram_controller_rows.h"
#include "model/sim/memory/dram.h"

enum { WS_NO_ENTRY = UINT32_MAX, WS_NO_ROW = UINT32_MAX };
enum { WS_DRAM_IN, WS_DRAM_OUT, WS_DRAM_DIRECTIONS }; /* index of queues: writes are IN, reads are OUT */

/* A waiting request. */
typedef struct ws_dram_entry {
    ws_dram_request request;
    uint64_t order; /* of arrival */
    uint32_t next;  /* later request of the same bank and direction, or WS_NO_ENTRY */
    uint32_t bank_index;
} ws_dram_entry;

typedef struct ws_dram_bank {
    uint32_t open_row; /* or WS_NO_ROW */
    uint32_t streak;   /* column commands since its activate */
    uint32_t head[WS_DRAM_DIRECTIONS], tail[WS_DRAM_DIRECTIONS];
    uint32_t hit[WS_DRAM_DIRECTIONS]; /* oldest request for the open row, or WS_NO_ENTRY */
    uint64_t from[4];                 /* first cycle for a command under the constraints of this bank */
} ws_dram_bank;

/* The same for all banks of a group, and of a rank. */
typedef struct ws_dram_group {
    uint64_t from[4];
} ws_dram_group;

typedef struct ws_dram_rank {
    uint64_t from[4];
    uint64_t last4[4], last32[32]; /* cycles of activates + 1, in rings; 0: none */
    uint32_t activates;            /* their number, modulo 32 */
    uint32_t refresh_due;
} ws_dram_rank;

/* In the layout: variable scalars. */
typedef struct ws_dram_head {
    uint64_t now, wake; /* no command can be issued before `wake`, unless a request arrives or a reply is taken */
    uint64_t orders, next_refresh, busy_from, busy_until;
    uint64_t writes_from;                 /* first cycle in which data of a write can arrive */
    uint64_t waiting[WS_DRAM_DIRECTIONS]; /* bits: banks with requests of a direction */
    uint32_t count[WS_DRAM_DIRECTIONS];
    uint32_t free_entry, next_rank;
    uint32_t drain; /* writes to serve before reads */
    uint32_t reply_first, reply_count;
    uint32_t sent; /* with separate buses for rows and columns: 1 << command issued in this cycle */
    ws_dram_totals totals;
} ws_dram_head;

/* Choice of a controller: a command for a bank, with the request for a column command; or none, and the time of the
 * next call without other events. */
typedef struct ws_dram_choice {
    int command; /* WS_DRAM_ACTIVATE ... WS_DRAM_WRITE, or -1 */
    uint32_t bank;
    uint32_t entry;
    uint64_t wake;
} ws_dram_choice;

typedef struct ws_dram_controller {
    size_t state_size; /* of a private struct in the layout, initially zero */
    /* Ignores banks whose rank is due for refresh (ws_dram_usable). */
    ws_dram_choice (*choose)(const ws_dram *dram, void *state);
} ws_dram_controller;

struct ws_dram {
    const ws_dram_controller *controller;
    ws_dram_part part;
    ws_dram_plan plan;
    uint32_t banks;
    uint8_t group_shift, rank_shift; /* from a bank's number to its group and its rank: parts have powers of two */
    void (*see)(void *user, const ws_dram_command *command);
    void *user;
    uint8_t *memory;
    size_t memory_size;
    /* In the layout: */
    ws_dram_head *head;
    ws_dram_entry *entries;
    ws_dram_bank *bank;
    ws_dram_group *group;
    ws_dram_rank *rank;
    ws_dram_request *reply; /* ring */
    void *state;
};

/* Returns the first cycle in which the command may go to the bank. It must fit the bank's state. A bus used in this
 * cycle is free in the next. */
uint64_t ws_dram_ready(const ws_dram *dram, int command, uint32_t bank);

static inline bool ws_dram_usable(const ws_dram *dram, uint32_t bank)
{
    return !dram->rank[bank >> dram->rank_shift].refresh_due;
}

/* Returns whether there is room for the data of another read. */
static inline bool ws_dram_can_reply(const ws_dram *dram)
{
    return dram->head->reply_count < dram->plan.replies;
}

/* Returns the queue with priority: WS_DRAM_IN while writes are drained or no read waits, otherwise WS_DRAM_OUT. */
static inline int ws_dram_direction(const ws_dram *dram)
{
    return dram->head->drain || !dram->head->count[WS_DRAM_OUT] ? WS_DRAM_IN : WS_DRAM_OUT;
}

#define CONTROLLER(name, ...) extern const ws_dram_controller ws_dram_##name;
#include "model/machine/dram_controllers.def"

#endif
