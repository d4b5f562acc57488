/* organisation.c - the words of an organisation: see organisation.h. */
#include "model/memory/organisation.h"

#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ws_memory_ops *const table[] = {
#define ORGANISATION(name) &ws_memory_##name,
#include "model/memory/organisations.def"
#undef ORGANISATION
};
enum { ROWS = sizeof table / sizeof *table, TEXT = 256, KILO = 1024 };

const char *const ws_memory_part_names[WS_MEMORY_PARTS] = {"registers", "shared", "readonly"};

const ws_memory_ops *ws_memory_ops_at(size_t index)
{
    return index < ROWS ? table[index] : NULL;
}

const char *ws_memory_ops_name(const ws_memory_ops *ops)
{
    return ops->name;
}

ws_memory_part ws_memory_ops_part(const ws_memory_ops *ops)
{
    return ops->part;
}

static int find(ws_memory_part part, const char *name, const ws_memory_ops **ops)
{
    char names[TEXT] = "";
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i]->part != part)
            continue;
        if (!strcmp(table[i]->name, name)) {
            *ops = table[i];
            return WS_OK;
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", table[i]->name);
    }
    return ws_fail(WS_EINPUT, "%s: unknown organisation `%s`; expected one of %s", ws_memory_part_names[part], name,
                   names);
}

/* "16K" */
static int read_number(const ws_memory_ops *ops, const char *option, const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(text, &end, 10);
    const bool kilo = *end == 'K' && !end[1];
    if (*text < '0' || *text > '9' || errno || (*end && !kilo) || (kilo && n > UINT64_MAX / KILO))
        return ws_fail(WS_EINPUT, "%s: %s: %s needs a whole number, such as 4 or 16K, not `%s`",
                       ws_memory_part_names[ops->part], ops->name, option, text);
    *out = kilo ? n * KILO : n;
    return WS_OK;
}

/* OPTION=VALUE; OPTION alone, which is 1, where that is all there is to it; VALUE alone, which is of the first option.
 */
static int read_item(const ws_memory_ops *ops, char *item, ws_given *out)
{
    char *const equals = strchr(item, '=');
    if (equals) {
        *equals = '\0';
        *out = (ws_given){.name = item};
        return read_number(ops, item, equals + 1, &out->value);
    }
    if (*item >= '0' && *item <= '9' && ops->options && ops->options->name) {
        *out = (ws_given){.name = ops->options->name};
        return read_number(ops, out->name, item, &out->value);
    }
    const ws_option *const o = ws_option_find(ops->options, item);
    *out = (ws_given){.name = item, .value = 1};
    return !o || o->most == 1
               ? WS_OK
               : ws_fail(WS_EINPUT, "%s: %s: %s needs a value, such as %s=%llu", ws_memory_part_names[ops->part],
                         ops->name, item, item, (unsigned long long)o->most);
}

int ws_organisation_parse(ws_memory_part part, const char *text, const ws_memory_ops **ops,
                          uint64_t values[WS_MEMORY_OPTIONS])
{
    char copy[TEXT], *rest = copy;
    ws_given given[WS_MEMORY_OPTIONS];
    size_t count = 0;
    const int length = snprintf(copy, sizeof copy, "%s", text);
    if (length >= TEXT)
        return ws_fail(WS_EINPUT, "%s: `%.32s...` is too long for an organisation", ws_memory_part_names[part], text);
    rest += strcspn(rest, ":,");
    const bool more = *rest;
    *rest = '\0';
    rest += more;
    int status = find(part, copy, ops);
    for (char *item = more ? strsep(&rest, ",") : NULL; item && !status; item = strsep(&rest, ",")) {
        if (count == WS_MEMORY_OPTIONS)
            return ws_fail(WS_EINPUT, "%s: %s has no more than %d options", ws_memory_part_names[part], (*ops)->name,
                           WS_MEMORY_OPTIONS);
        status = read_item(*ops, item, &given[count++]);
    }
    char owner[TEXT];
    snprintf(owner, sizeof owner, "%s: %s", ws_memory_part_names[part], status ? "" : (*ops)->name);
    return status ? status : ws_option_resolve(owner, (*ops)->options, NULL, given, count, values);
}
