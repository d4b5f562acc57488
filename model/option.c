/* option.c - is what the user gave a number that the component knows, and within its bounds? */
#include "model/option.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

size_t ws_option_count(const ws_option *options)
{
    size_t count = 0;
    while (options[count].name)
        count++;
    return count;
}

/* The row of that name, or the number of rows. */
static size_t find(const ws_option *options, const char *name)
{
    size_t i = 0;
    while (options[i].name && strcmp(options[i].name, name))
        i++;
    return i;
}

static int check(const char *owner, const ws_option *option, const ws_given *given)
{
    if (given->value >= option->least && given->value <= option->most)
        return WS_OK;
    return ws_fail(WS_EINPUT, "%s%s%s: %s = %" PRIu64 ", expected %" PRIu64 " to %" PRIu64 " %s (%s)",
                   given->where ? given->where : "", given->where ? ": " : "", owner, option->name, given->value,
                   option->least, option->most, option->unit, option->meaning);
}

static bool given_before(const ws_given *given, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (!strcmp(given[i].name, given[at].name))
            return true;
    return false;
}

int ws_option_resolve(const char *owner, const ws_option *options, const ws_option *also, const ws_given *given,
                      size_t count, uint64_t *values)
{
    for (size_t i = 0; options[i].name; i++)
        values[i] = options[i].fallback;
    for (size_t i = 0; i < count; i++) {
        const char *const where = given[i].where ? given[i].where : owner;
        if (given_before(given, i))
            return ws_fail(WS_EINPUT, "%s: %s is given twice; remove one", where, given[i].name);
        const size_t row = find(options, given[i].name);
        if (!options[row].name) {
            if (also && also[find(also, given[i].name)].name)
                continue;
            return ws_fail(WS_EINPUT, "%s: %s has no option %s; the first that it has is %s", where, owner,
                           given[i].name,
                           options[0].name ? options[0].name
                           : also          ? also[0].name
                                           : "none");
        }
        const int rc = check(owner, &options[row], &given[i]);
        if (rc)
            return rc;
        values[row] = given[i].value;
    }
    return WS_OK;
}

void ws_option_choose(const ws_option *options, const ws_given *given, size_t count, uint64_t *values)
{
    for (size_t i = 0; options[i].name; i++)
        values[i] = options[i].fallback;
    for (size_t i = 0; i < count; i++) {
        const size_t row = find(options, given[i].name);
        if (options[row].name)
            values[row] = given[i].value;
    }
}

uint64_t ws_option_value(const ws_option *options, const char *name, const ws_given *given, size_t count,
                         uint64_t otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(given[i].name, name))
            return given[i].value;
    const size_t row = options ? find(options, name) : 0;
    return options && options[row].name ? options[row].fallback : otherwise;
}
