/* launch_list.h - a list of launches that stand for all of a program: what `warpscape sample` writes and simulations
 * read.
 *
 * A frame (base/frame.h), or any CSV with these columns, in any order: `workload`, `launch` (its number, from 1 on),
 * `weight` (how many launches it stands for); and, where they are there, `kernel` or `mangled` (the launch must be of
 * it), `stratum` (a number; without it each launch is one), `launches` (of the stratum, those that are not simulated
 * among them; without it the sum of its weights), `spread` (coefficient of variation of the stratum's launches, as far
 * as it was known before any was simulated). */
#ifndef WS_LAUNCH_LIST_H
#define WS_LAUNCH_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ws_listed_launch {
    const char *workload, *kernel; /* kernel: mangled; "" when the list does not say */
    uint64_t number;
    double weight;
    double stratum, launches, spread; /* NaN: not known */
    size_t line;                      /* of the file */
} ws_listed_launch;

typedef struct ws_launch_list ws_launch_list;

/* WS_EIO; WS_EINPUT with FILE:LINE and what was expected. "-" is standard input. The caller frees it with
 * ws_launch_list_destroy. */
int ws_launch_list_load(const char *path, ws_launch_list **out);
int ws_launch_list_read(FILE *in, const char *name, ws_launch_list **out);
void ws_launch_list_destroy(ws_launch_list *list); /* accepts NULL */

const char *ws_launch_list_file(const ws_launch_list *list);

/* Launches of one workload in order of their numbers; *n of them. WS_ENOTFOUND, with those that the list has, when
 * there are none. */
int ws_launch_list_of(const ws_launch_list *list, const char *workload, const ws_listed_launch **first, size_t *n);

/* Place of launch `number` among n listed ones; n when it is not there. */
size_t ws_listed_find(const ws_listed_launch *first, size_t n, uint64_t number);

#endif
