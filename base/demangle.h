/* demangle.h - demangled names of C++ functions, and messages that contain them. */
#ifndef WS_DEMANGLE_H
#define WS_DEMANGLE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the demangled name: "_Z4vaddPKfS0_Pfi" gives "vadd(float const*, float const*, float*, int)". Other names are
 * copied unchanged. The caller frees the result; NULL when memory is short. */
char *ws_demangle(const char *name);

/* Returns the demangled name without parameters: "vadd". It does not distinguish overloaded functions. */
char *ws_demangle_short(const char *name);

/* Copies a message and demangles the kernel that it is about ("kernel NAME: ..."). A name too long for a message loses
 * its middle; so does a message longer than `size`. The start and the end of the message therefore stay readable. */
void ws_demangle_message(char *to, size_t size, const char *message);

/* Shows "warpscape: MESSAGE", shortened and demangled by ws_demangle_message, on a separate line. */
void ws_show_message(FILE *out, const char *message);

#endif
