/* demangle.h - names of C++ functions as people write them, and names in messages. */
#ifndef WS_DEMANGLE_H
#define WS_DEMANGLE_H

#include <stddef.h>
#include <stdio.h>

/* "_Z4vaddPKfS0_Pfi" gives "vadd(float const*, float const*, float*, int)"; what is no mangled name comes back as it
 * is. The caller frees it; NULL when memory is out. */
char *ws_demangle(const char *name);

/* The same without parameters: "vadd". Of functions with the same name it says nothing of which. */
char *ws_demangle_short(const char *name);

/* Copies a message. The kernel that it is about ("kernel NAME: ...") is written as people write it; a name longer than
 * any message can bear, this one or another, loses its middle, and so does what is still longer than `size`: who reads
 * it sees what it is about, and why. */
void ws_demangle_message(char *to, size_t size, const char *message);

/* Shows "warpscape: MESSAGE", written so, as a line of its own. */
void ws_show_message(FILE *out, const char *message);

#endif
