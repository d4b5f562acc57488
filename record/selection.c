/* selection.c - regular expressions over names, ranges over numbers. */
#include "record/selection.h"

#include "base/status.h"
#include "model/sample/launch_list.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <unistd.h>

enum { RANGES = 64 };

struct ws_launch_selection {
    regex_t kernels;
    bool has_kernels;
    unsigned ranges; /* 0: all */
    struct {
        uint64_t first, last;
    } range[RANGES];
    ws_launch_list *list;           /* owns: */
    const ws_listed_launch *listed; /* NULL: none */
    size_t listed_count;
};

static bool read_number(const char **at, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    *value = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}

/* "7", "7-9", "7-", "-9"; people count from 1 */
static bool read_range(const char **at, uint64_t *first, uint64_t *last)
{
    const bool open = **at == '-';
    *first = 1;
    if (!open && (!read_number(at, first) || !*first))
        return false;
    *last = *first;
    if (**at != '-')
        return true;
    ++*at;
    *last = UINT64_MAX;
    if (!open && (**at == ',' || !**at))
        return true;
    return read_number(at, last) && *last >= *first;
}

static int read_ranges(const char *text, ws_launch_selection *s)
{
    const char *at = text;
    while (s->ranges < RANGES) {
        if (!read_range(&at, &s->range[s->ranges].first, &s->range[s->ranges].last))
            break;
        s->ranges++;
        if (!*at)
            return WS_OK;
        if (*at++ != ',')
            break;
    }
    if (s->ranges == RANGES)
        return ws_fail(WS_EINPUT, "launches '%s': at most %d ranges", text, RANGES);
    return ws_fail(
        WS_EINPUT,
        "launches '%s': expected numbers from 1 on and rising ranges such as 1-10,20,30-, or a file that lists them",
        text);
}

/* What begins as a range does is none of a file. */
bool ws_launch_selection_is_file(const char *text)
{
    return !isdigit((unsigned char)text[0]) && text[0] != '-' && !access(text, F_OK);
}

static int read_list(const char *file, const char *workload, ws_launch_selection *s)
{
    const int status = ws_launch_list_load(file, &s->list);
    return status ? status : ws_launch_list_of(s->list, workload, &s->listed, &s->listed_count);
}

static int read_kernels(const char *text, ws_launch_selection *s)
{
    const int error = regcomp(&s->kernels, text, REG_EXTENDED | REG_NOSUB);
    char reason[128];
    if (!error) {
        s->has_kernels = true;
        return WS_OK;
    }
    regerror(error, &s->kernels, reason, sizeof reason);
    return ws_fail(WS_EINPUT, "kernels '%s': not a regular expression: %s", text, reason);
}

int ws_launch_selection_create(const char *kernels, const char *launches, const char *workload,
                               ws_launch_selection **out)
{
    int status = WS_OK;
    *out = NULL;
    if (!kernels && !launches)
        return WS_OK;
    ws_launch_selection *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "out of memory");
    if (kernels)
        status = read_kernels(kernels, s);
    if (!status && launches)
        status = ws_launch_selection_is_file(launches) ? read_list(launches, workload, s) : read_ranges(launches, s);
    if (status)
        ws_launch_selection_destroy(s);
    else
        *out = s;
    return status;
}

void ws_launch_selection_destroy(ws_launch_selection *selection)
{
    if (!selection)
        return;
    if (selection->has_kernels)
        regfree(&selection->kernels);
    ws_launch_list_destroy(selection->list);
    free(selection);
}

bool ws_launch_selection_has(const ws_launch_selection *s, const char *kernel, const char *title, uint64_t launch)
{
    if (!s)
        return true;
    bool found = s->listed ? ws_listed_find(s->listed, s->listed_count, launch + 1) < s->listed_count : !s->ranges;
    for (unsigned i = 0; i < s->ranges; i++)
        found = found || (launch >= s->range[i].first - 1 && launch < s->range[i].last);
    return found &&
           (!s->has_kernels || !regexec(&s->kernels, title, 0, NULL, 0) || !regexec(&s->kernels, kernel, 0, NULL, 0));
}
