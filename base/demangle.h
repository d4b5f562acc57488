/* demangle.h - names of C++ functions as people write them. */
#ifndef WS_DEMANGLE_H
#define WS_DEMANGLE_H

/* "_Z4vaddPKfS0_Pfi" gives "vadd(float const*, float const*, float*, int)"; what is no mangled name comes back as it
 * is. The caller frees it; NULL when memory is out. */
char *ws_demangle(const char *name);

#endif
