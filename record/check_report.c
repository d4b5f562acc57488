/* check_report.c - see check_report.h. */
#include "record/check_report.h"

#include "base/demangle.h"
#include "base/note.h"
#include "base/shown.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2048 };

static const char error_word[] = "error";

static const char *word_of(unsigned i)
{
    return i == WS_CHECK_ERRORS ? error_word : ws_check_names[i];
}

void ws_check_report(void *context, bool is_finding, const char *line)
{
    char text[LONGEST], note[LONGEST + sizeof WS_CHECK_NOTE];
    (void)context;
    ws_demangle_message(text, sizeof text, line);
    ws_show_line(stderr, "warpscape: %s", text);
    snprintf(note, sizeof note, WS_CHECK_NOTE "%s", text);
    if (is_finding)
        ws_note(getenv(WS_NOTE_VARIABLE), note);
}

bool ws_check_is_error(int launched)
{
    return launched == WS_EFAULT || launched == WS_EINPUT;
}

void ws_check_report_error(const char *line)
{
    char text[LONGEST], note[LONGEST + sizeof WS_CHECK_NOTE + sizeof error_word + 1];
    ws_demangle_message(text, sizeof text, line);
    snprintf(note, sizeof note, WS_CHECK_NOTE "%s: %s", error_word, text);
    ws_note(getenv(WS_NOTE_VARIABLE), note);
}

bool ws_check_count(const char *line, uint64_t findings[WS_CHECK_COUNTS])
{
    const size_t before = sizeof WS_CHECK_NOTE - 1;
    if (strncmp(line, WS_CHECK_NOTE, before))
        return false;
    for (unsigned i = 0; i < WS_CHECK_COUNTS; i++) {
        const size_t n = strlen(word_of(i));
        findings[i] += !strncmp(line + before, word_of(i), n) && line[before + n] == ':';
    }
    return true;
}

void ws_check_summary(const uint64_t findings[WS_CHECK_COUNTS], char *text, size_t size)
{
    size_t n = 0;
    snprintf(text, size, "nothing");
    for (unsigned i = 0; i < WS_CHECK_COUNTS; i++)
        if (findings[i] && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s %" PRIu64, n ? ", " : "", word_of(i), findings[i]);
}

uint64_t ws_check_sum(const uint64_t findings[WS_CHECK_COUNTS])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < WS_CHECK_COUNTS; i++)
        sum += findings[i];
    return sum;
}
