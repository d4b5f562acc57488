/* demangle.c - the demangler of GNU binutils, behind one function. */
#include "base/demangle.h"

#include <libiberty/demangle.h>
#include <string.h>

char *ws_demangle(const char *name)
{
    char *const text = cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI);
    return text ? text : strdup(name);
}
