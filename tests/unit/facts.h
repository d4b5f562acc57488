/* facts.h - instructions for tests, with the facts that their text tells. */
#ifndef TESTS_FACTS_H
#define TESTS_FACTS_H

#include "collect/ptx/module.h"
#include "collect/sass/sass.h"

static inline ws_instr with_facts(ws_instr in)
{
    ws_ptx_facts_of_text(in.opcode, &in);
    return in;
}

static inline ws_instr with_sass_facts(ws_instr in)
{
    ws_sass_facts(in.opcode, &in);
    return in;
}

#endif
