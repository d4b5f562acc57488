/* dram.h - one channel of DRAM: banks with rows, a command bus, a data bus, and a controller that chooses commands.
 *
 * A part (chips, timing) comes from a file of data/tech, an address map says which bits of an address select what,
 * and a ws_dram is one channel. The caller's loop is that of network.h:
 *
 *     if (!ws_dram_push(dram, &request)) the sender waits: the queue is full;
 *     ws_dram_step(dram, until);         executes the cycles now .. until-1 of the command clock
 *     while (ws_dram_pop(dram, &request)) ... a read has its data
 *
 * Writes are posted: they are done when ws_dram_push has taken them, and get no reply. A read of an address that waits
 * to be written gets its data from the queue, and a second write to it takes the place of the first. */
#ifndef WS_DRAM_H
#define WS_DRAM_H

#include "base/bytes.h"
#include "model/machine/dram_controller.h"
#include "model/machine/dram_part.h"
#include "base/option.h"
#include "model/cycle.h"

#include <stdbool.h>
#include <stdint.h>

/* --- A channel --- */

typedef struct ws_dram ws_dram;

typedef struct ws_dram_request {
    uint64_t tag;     /* the sender's */
    uint64_t address; /* tells requests to the same data apart from others; `at` is where it is */
    ws_dram_place at;
    bool write;
    /* Set by the channel: when it came; when the last data of a read is there; they are from the queue of writes. */
    uint64_t arrived, finished;
    bool forwarded;
} ws_dram_request;

/* Creates a channel with controller `name` (a row of dram_controllers.def). `given`: options of all controllers
 * (ws_dram_common_options) and of this one. The caller frees it with ws_dram_destroy; `part` is copied. */
int ws_dram_create(const char *name, const ws_dram_part *part, const ws_given *given, size_t count, ws_dram **out);
/* The same with a controller whose options go together. */
int ws_dram_make(const ws_dram_plan *plan, const ws_dram_part *part, ws_dram **out);
void ws_dram_destroy(ws_dram *dram); /* accepts NULL */

bool ws_dram_push(ws_dram *dram, const ws_dram_request *request);
bool ws_dram_has_room(const ws_dram *dram, bool write);
void ws_dram_step(ws_dram *dram, uint64_t until);
uint64_t ws_dram_now(const ws_dram *dram);
/* The first cycle, now or later, in which a command may go out or a reply becomes ready; WS_NEVER when only push or pop
 * can change anything. Refreshes of a channel without requests do not count. */
uint64_t ws_dram_next_time(const ws_dram *dram);
bool ws_dram_pop(ws_dram *dram, ws_dram_request *request);
/* What ws_dram_pop gives next, maybe later (`finished`); NULL: no read waits to be popped. */
const ws_dram_request *ws_dram_front(const ws_dram *dram);

/* Channels that share a bus for commands are driven cycle by cycle instead of by ws_dram_step, which does
 *
 *     while ((cycle = ws_dram_due(dram, until)) < until)
 *         ws_dram_turn(dram, cycle, true);
 *     ws_dram_wait(dram, until);
 *
 * ws_dram_due: the first cycle, now or later, in which it has something to do; refreshes of an idle channel that end
 * before `until` are counted and left out. ws_dram_turn: executes that cycle; refreshes are made whether it `may` use
 * the bus or not. Returns 1 << command of what went out for requests. ws_dram_wait: nothing is done before `until`. */
uint64_t ws_dram_due(ws_dram *dram, uint64_t until);
uint32_t ws_dram_turn(ws_dram *dram, uint64_t cycle, bool may);
void ws_dram_wait(ws_dram *dram, uint64_t until);
/* No write goes out before that cycle: what brings its data is taken. */
void ws_dram_hold_writes(ws_dram *dram, uint64_t until);

/* Requests that wait for a column command, and reads that were not popped. */
uint64_t ws_dram_inside(const ws_dram *dram);
/* Shows each of them: bank by bank in their order, then the replies (`finished` is not 0). */
void ws_dram_each(const ws_dram *dram, void (*see)(void *user, const ws_dram_request *request), void *user);

typedef struct ws_dram_totals {
#define COUNT(name, combine, meaning) uint64_t name;
#include "model/sim/memory/dram_counts.def"
#undef COUNT
} ws_dram_totals;
ws_dram_totals ws_dram_sum(const ws_dram *dram);

/* Data-bus cycles over cycles with a request waiting or in transfer: "DRAM efficiency" (Goswami 2013). NaN: unused. */
double ws_dram_efficiency(const ws_dram *dram);
/* Column commands for an activate. NaN: no activate yet. */
double ws_dram_row_locality(const ws_dram *dram);

/* Calls `see` for each command when it goes out, for a trace. NULL: no more. Not part of a checkpoint. */
enum { WS_DRAM_ACTIVATE, WS_DRAM_PRECHARGE, WS_DRAM_READ, WS_DRAM_WRITE, WS_DRAM_REFRESH };
typedef struct ws_dram_command {
    uint64_t cycle;
    int command;
    uint32_t rank, group, bank, row;
} ws_dram_command;
void ws_dram_watch(ws_dram *dram, void (*see)(void *user, const ws_dram_command *command), void *user);

/* As those of network.h, checkpoints. */
void ws_dram_save(const ws_dram *dram, ws_bytes *bytes);
int ws_dram_load(ws_dram *dram, ws_reader *reader);

#endif
