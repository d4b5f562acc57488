/* memory.h - memory available to this process, and checks before large allocations. */
#ifndef WS_MEMORY_H
#define WS_MEMORY_H

/* Returns the available bytes. This is the least of the machine's free memory, the remainders of the control group and
 * of `ulimit -v`, and WARPSCAPE_MAX_MEMORY. That environment variable limits the bytes of one piece of work ("500M",
 * "8G", "1.5T"; powers of 1024); an invalid size is ignored. */
double ws_memory_left(void);

/* Returns the bytes of address space left by `ulimit -v`, and sets *taken to the bytes in use. Returns INFINITY without
 * such a limit. */
double ws_memory_address_space_left(double *taken);

/* Returns WS_OK, or WS_ELIMIT before the work begins: "60000 rows: distances of all pairs need 13.4 GiB of memory, ...;
 * ADVICE". */
int ws_memory_ask(double bytes, const char *what, const char *advice);

#endif
