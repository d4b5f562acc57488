/* memory.h - how much memory may this process still take, and does something fit into it? */
#ifndef WS_MEMORY_H
#define WS_MEMORY_H

/* Bytes: the least of what the machine has free, what a control group and `ulimit -v` leave, and WARPSCAPE_MAX_MEMORY
 * of the environment, the bytes that one piece of work may need ("500M", "8G", "1.5T"; powers of 1024). A word that is
 * no size counts for nothing. */
double ws_memory_left(void);

/* Of these, bytes of address space that `ulimit -v` leaves, and *taken those that the process has; INFINITY without
 * such a limit. */
double ws_memory_address_space_left(double *taken);

/* WS_OK, or WS_ELIMIT before the work begins: "60000 rows: distances of all pairs need 13.4 GiB of memory, ...;
 * ADVICE". */
int ws_memory_ask(double bytes, const char *what, const char *advice);

#endif
