/* launch_list.h - list of representative launches of a program, written by `warpscape sample` and read by simulations.
 *
 * A list is a frame (base/frame.h), or any CSV with these columns in any order: `workload`, `launch` (its number, from
 * 1), `weight` (number of launches it represents). Optional columns: `kernel` or `mangled` (expected kernel of the
 * launch), `stratum` (a number; without it each launch is a stratum), `launches` (of the stratum, including those not
 * simulated; default: the sum of its weights), `spread` (coefficient of variation of the stratum's launches, as known
 * before simulation). */
#ifndef WS_LAUNCH_LIST_H
#define WS_LAUNCH_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ws_listed_launch {
    const char *workload, *kernel; /* kernel: mangled; "" if not given */
    uint64_t number;
    double weight;
    double stratum, launches, spread; /* NaN: not known */
    size_t line;                      /* of the file */
} ws_listed_launch;

typedef struct ws_launch_list ws_launch_list;

/* Load or read a list; "-" is standard input. WS_EIO; WS_EINPUT with FILE:LINE and the expectation. The caller frees it
 * with ws_launch_list_destroy. */
int ws_launch_list_load(const char *path, ws_launch_list **out);
int ws_launch_list_read(FILE *in, const char *name, ws_launch_list **out);
void ws_launch_list_destroy(ws_launch_list *list); /* accepts NULL */

const char *ws_launch_list_file(const ws_launch_list *list);

/* Finds the *n launches of one workload, in order of their numbers. WS_ENOTFOUND if there are none; the message names
 * the workloads of the list. */
int ws_launch_list_of(const ws_launch_list *list, const char *workload, const ws_listed_launch **first, size_t *n);

/* Returns the index of launch `number` among n listed ones, or n. */
size_t ws_listed_find(const ws_listed_launch *first, size_t n, uint64_t number);

#endif
