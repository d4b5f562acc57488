/* kinds.c - the registry of kinds, from the tables that stand elsewhere. */
#include "model/machine/kinds.h"

#include "model/cache/cache.h"
#include "model/coherence/coherence.h"
#include "model/machine/atomic_kind.h"
#include "model/machine/consistency_kind.h"
#include "model/placement/cta_scheduler.h"
#include "model/machine/home.h"
#include "model/machine/machine_internal.h"
#include "model/machine/memory_channel_kind.h"
#include "model/machine/memory_stage_kind.h"
#include "model/machine/network_kind.h"
#include "model/machine/package_coherence.h"
#include "model/machine/register_kind.h"
#include "model/machine/scheduler_kind.h"
#include "model/machine/shared_kind.h"

#include <string.h>

/* --- One function for each column of a row --- */

#define SUMMARY_AND_OPTIONS(section, word, table, otherwise) \
    static const char *section##_##word##_summary(const char *name) \
    { \
        return ws_##table##_find(name) ? ws_##table##_find(name)->summary : otherwise; \
    } \
    static const ws_option *section##_##word##_options(const char *name) \
    { \
        return ws_##table##_find(name) ? ws_##table##_find(name)->options : NULL; \
    }
#define TABLE(section, word, list, table, type, common) \
    static const char *section##_##word##_name(size_t index) \
    { \
        return ws_##table##_at(index) ? ws_##table##_at(index)->name : NULL; \
    } \
    SUMMARY_AND_OPTIONS(section, word, table, NULL) \
    static const char *section##_##word##_named(const ws_machine *m) \
    { \
        return m->section##_##word->name; \
    } \
    static void section##_##word##_take(ws_machine *m, size_t index) \
    { \
        m->section##_##word = ws_##table##_at(index); \
    }
#define ELSE(section, word, list, table, type, common, first, summary_of_it) \
    static const char *section##_##word##_name(size_t index) \
    { \
        const struct type *const row = index ? ws_##table##_at(index - 1) : NULL; \
        return row ? row->name : index ? NULL : first; \
    } \
    SUMMARY_AND_OPTIONS(section, word, table, summary_of_it) \
    static const char *section##_##word##_named(const ws_machine *m) \
    { \
        return m->section##_##word ? m->section##_##word->name : first; \
    } \
    static void section##_##word##_take(ws_machine *m, size_t index) \
    { \
        m->section##_##word = index ? ws_##table##_at(index - 1) : NULL; \
    }
#define WORDS(section, word, type, count) \
    static const char *section##_##word##_name(size_t index) \
    { \
        return index < count ? ws_##type##_word((ws_##type)index) : NULL; \
    } \
    static const char *section##_##word##_named(const ws_machine *m) \
    { \
        return ws_##type##_word(m->section##_##word); \
    } \
    static void section##_##word##_take(ws_machine *m, size_t index) \
    { \
        m->section##_##word = (ws_##type)index; \
    }
#include "model/machine/kinds.def"

#define KIND(section, word, name, summary, options, common, list) \
    {#section, \
     #word, \
     WS_MACHINE_ROW_##section##_##word, \
     name, \
     section##_##word##_named, \
     section##_##word##_take, \
     summary, \
     options, \
     common, \
     list},
#define TABLE(section, word, list, table, type, common) \
    KIND(section, word, section##_##word##_name, section##_##word##_summary, section##_##word##_options, common, #list)
#define ELSE(section, word, list, table, type, common, first, summary) TABLE(section, word, list, table, type, common)
#define WORDS(section, word, type, count)                              KIND(section, word, section##_##word##_name, NULL, NULL, NULL, "")
static const ws_kind rows[] = {
#include "model/machine/kinds.def"
};

const ws_kind *ws_kind_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

const ws_option *ws_kind_option(const ws_kind *kind, const char *word, const char *name)
{
    const ws_option *const own = kind->options ? ws_option_find(kind->options(word), name) : NULL;
    return own ? own : ws_option_find(kind->common, name);
}
