/* kinds.c - the registry of kinds, from the tables that stand elsewhere. */
#include "model/machine/kinds.h"

#include "model/cache/cache.h"
#include "model/coherence/coherence.h"
#include "model/sim/sm/atomic.h"
#include "model/sim/sm/consistency.h"
#include "model/placement/cta_scheduler.h"
#include "model/machine/dram_part.h"
#include "model/machine/home.h"
#include "model/machine/machine_internal.h"
#include "model/sim/memory/memory_channel.h"
#include "model/sim/network/network.h"
#include "model/machine/package_coherence.h"
#include "model/sim/sm/register_file.h"
#include "model/sim/sm/scheduler.h"
#include "model/sim/sm/shared_memory.h"

#include <string.h>

/* --- Tables whose names do not follow the others, or that have a row more --- */

static const char *ws_reply_name(size_t index)
{
    return index ? ws_network_name(index - 1) : WS_MACHINE_SAME;
}

static const char *ws_reply_summary(const char *name)
{
    return strcmp(name, WS_MACHINE_SAME) ? ws_network_summary(name) : "as network.kind";
}

static const ws_option *ws_reply_options(const char *name)
{
    return ws_network_options(name);
}

static const char *ws_protocol_name(size_t index)
{
    return index ? ws_coherence_protocol_name(index - 1) : WS_MACHINE_PLAIN;
}

static const char *ws_protocol_summary(const char *name)
{
    return strcmp(name, WS_MACHINE_PLAIN) ? ws_coherence_protocol_summary(name)
                                          : "plain caches, which know of no other copies";
}

static const ws_option *ws_protocol_options(const char *name)
{
    (void)name;
    return NULL;
}

static const char *ws_order_name(size_t index)
{
    const ws_consistency_ops *const row = index ? ws_consistency_at(index - 1) : NULL;
    return row ? row->name : index ? NULL : WS_MACHINE_BY_PROTOCOL;
}

static const char *ws_order_summary(const char *name)
{
    return ws_consistency_find(name) ? ws_consistency_find(name)->summary : "as the coherence protocol: sc or rc";
}

static const ws_option *ws_order_options(const char *name)
{
    return ws_consistency_find(name) ? ws_consistency_find(name)->options : NULL;
}

/* --- One function for each column of a row --- */

#define LIST(section)
#define TABLE(section, word, list, table) \
    static const char *section##_##word##_name(size_t index) \
    { \
        return ws_##table##_at(index) ? ws_##table##_at(index)->name : NULL; \
    } \
    static const char *section##_##word##_summary(const char *name) \
    { \
        return ws_##table##_find(name) ? ws_##table##_find(name)->summary : NULL; \
    } \
    static const ws_option *section##_##word##_options(const char *name) \
    { \
        return ws_##table##_find(name) ? ws_##table##_find(name)->options : NULL; \
    }
#define NAMED(section, word, list, table, common)
#define WORDS(section, word, ...) \
    static const char *section##_##word##_name(size_t index) \
    { \
        static const char *const names[] = {__VA_ARGS__, NULL}; \
        return names[index]; \
    }
#include "model/machine/kinds.def"
#undef TABLE
#undef NAMED
#undef WORDS

#define TABLE(section, word, list, table) \
    {#section, \
     #word, \
     WS_MACHINE_ROW_##section##_##word, \
     section##_##word##_name, \
     section##_##word##_summary, \
     section##_##word##_options, \
     NULL, \
     #list},
#define NAMED(section, word, list, table, common) \
    { \
        #section, \
        #word, \
        WS_MACHINE_ROW_##section##_##word, \
        ws_##table##_name, \
        ws_##table##_summary, \
        ws_##table##_options, \
        common, \
        #list},
#define WORDS(section, word, ...) \
    {#section, #word, WS_MACHINE_ROW_##section##_##word, section##_##word##_name, NULL, NULL, NULL, ""},
static const ws_kind rows[] = {
#include "model/machine/kinds.def"
};
#undef TABLE
#undef NAMED
#undef WORDS
#undef LIST

const ws_kind *ws_kind_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

static const ws_option *in_table(const ws_option *table, const char *name)
{
    for (; table && table->name; table++)
        if (!strcmp(table->name, name))
            return table;
    return NULL;
}

const ws_option *ws_kind_option(const ws_kind *kind, const char *word, const char *name)
{
    const ws_option *const own = kind->options ? in_table(kind->options(word), name) : NULL;
    return own ? own : in_table(kind->common, name);
}
