/* mechanism.c - see mechanism.h. */
#include "model/mechanism/mechanism.h"

const ws_mechanism_row *ws_mechanisms(size_t *n)
{
    static const ws_mechanism_row rows[] = {
#define MECHANISM(name, summary) {#name, summary, &ws_mechanism_##name},
#include "model/mechanism/mechanisms.def"
#undef MECHANISM
    };
    *n = sizeof rows / sizeof *rows;
    return rows;
}
