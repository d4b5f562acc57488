/* dram.h - one DRAM channel: banks with rows, a command bus, a data bus, and a controller that chooses commands.
 *
 * A part (chips, timing) comes from a file of data/tech, an address map assigns address bits to fields, and a ws_dram
 * is one channel. The caller's loop is that of network.h:
 *
 *     if (!ws_dram_push(dram, &request)) the sender waits: the queue is full;
 *     ws_dram_step(dram, until);         executes the cycles now .. until-1 of the command clock
 *     while (ws_dram_pop(dram, &request)) ... a read has its data
 *
 * Writes are posted: they are complete once ws_dram_push has taken them, and get no reply. A read of an address with a
 * waiting write gets its data from the queue; a second write to it replaces the first. */
#ifndef WS_DRAM_H
#define WS_DRAM_H

#include "base/bytes.h"
#include "model/machine/dram_controller.h"
#include "model/machine/dram_part.h"
#include "base/option.h"
#include "model/cycle.h"

#include <stdbool.h>
#include <stdint.h>

/* --- Channel --- */

typedef struct ws_dram ws_dram;

typedef struct ws_dram_request {
    uint64_t tag;     /* free for the sender */
    uint64_t address; /* identifies the data of a request; `at` is its location */
    ws_dram_place at;
    bool write;
    /* Set by the channel: arrival; time of the last data of a read; whether the data are from the write queue. */
    uint64_t arrived, finished;
    bool forwarded;
} ws_dram_request;

/* Creates a channel with controller `name` (a row of dram_controllers.def). `given`: common options
 * (ws_dram_common_options) and those of this controller. The caller frees it with ws_dram_destroy; `part` is copied. */
int ws_dram_create(const char *name, const ws_dram_part *part, const ws_given *given, size_t count, ws_dram **out);
/* The same with a controller whose options were checked. */
int ws_dram_make(const ws_dram_plan *plan, const ws_dram_part *part, ws_dram **out);
void ws_dram_destroy(ws_dram *dram); /* accepts NULL */

bool ws_dram_push(ws_dram *dram, const ws_dram_request *request);
bool ws_dram_has_room(const ws_dram *dram, bool write);
void ws_dram_step(ws_dram *dram, uint64_t until);
uint64_t ws_dram_now(const ws_dram *dram);
/* Returns the first cycle, now or later, in which a command may be issued or a reply becomes ready; WS_NEVER if only
 * push or pop can change the state. Refreshes of a channel without requests do not count. */
uint64_t ws_dram_next_time(const ws_dram *dram);
bool ws_dram_pop(ws_dram *dram, ws_dram_request *request);
/* Returns the next result of ws_dram_pop, possibly for a later cycle (`finished`); NULL: no read. */
const ws_dram_request *ws_dram_front(const ws_dram *dram);

/* Interface for channels that share a command bus and are driven cycle by cycle, in place of ws_dram_step:
 *
 *     while ((cycle = ws_dram_due(dram, until)) < until)
 *         ws_dram_turn(dram, cycle, true);
 *     ws_dram_wait(dram, until);
 *
 * ws_dram_due returns the first cycle, now or later, with work; refreshes of an idle channel that end before `until`
 * are counted and skipped. ws_dram_turn executes that cycle; refreshes do not depend on `may`, the permission to use
 * the bus. It returns 1 << command for the command issued for requests. ws_dram_wait states that nothing is done before
 * `until`. */
uint64_t ws_dram_due(ws_dram *dram, uint64_t until);
uint32_t ws_dram_turn(ws_dram *dram, uint64_t cycle, bool may);
void ws_dram_wait(ws_dram *dram, uint64_t until);
/* Blocks writes before that cycle: the path of their data is occupied. */
void ws_dram_hold_writes(ws_dram *dram, uint64_t until);

/* Returns the requests that wait for a column command, and the reads that were not popped. */
uint64_t ws_dram_inside(const ws_dram *dram);
/* Calls `see` for each of them: bank by bank in order, followed by the replies (`finished` is not 0). */
void ws_dram_each(const ws_dram *dram, void (*see)(void *user, const ws_dram_request *request), void *user);

typedef struct ws_dram_totals {
#define COUNT(name, combine, meaning) uint64_t name;
#include "model/sim/memory/dram_counts.def"
#undef COUNT
} ws_dram_totals;
ws_dram_totals ws_dram_sum(const ws_dram *dram);

/* Returns data-bus cycles over cycles with a request waiting or in transfer: "DRAM efficiency" (Goswami 2013). NaN:
 * unused. */
double ws_dram_efficiency(const ws_dram *dram);
/* Returns column commands per activate. NaN: no activate yet. */
double ws_dram_row_locality(const ws_dram *dram);

/* Calls `see` for each issued command, for a trace. NULL: stops that. Not part of a checkpoint. */
enum { WS_DRAM_ACTIVATE, WS_DRAM_PRECHARGE, WS_DRAM_READ, WS_DRAM_WRITE, WS_DRAM_REFRESH };
typedef struct ws_dram_command {
    uint64_t cycle;
    int command;
    uint32_t rank, group, bank, row;
} ws_dram_command;
void ws_dram_watch(ws_dram *dram, void (*see)(void *user, const ws_dram_command *command), void *user);

/* Checkpoints, as in network.h. */
void ws_dram_save(const ws_dram *dram, ws_bytes *bytes);
int ws_dram_load(ws_dram *dram, ws_reader *reader);

#endif
