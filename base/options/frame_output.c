/* frame_output.c - see frame_output.h. */
#include "base/options/frame_output.h"

#include "base/options/options.h"
#include "base/status.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_COLUMNS = 0x6000, KEY_DEFINITIONS, KEY_FORMAT };

#define FORMAT(word, meaning) "|" #word
const char ws_frame_output_or_text_arg[] = "text"
#include "base/frame_formats.def"
    ;
#undef FORMAT

const char *const ws_frame_output_or_text[WS_FORMATS + 2] = {
    "text",
#define FORMAT(word, meaning) #word,
#include "base/frame_formats.def"
#undef FORMAT
    NULL,
};

static const struct argp_option options[] = {
    {"columns", KEY_COLUMNS, "LIST", 0,
     "Only these columns, in this order: names and patterns such as 'coal_*', separated by commas [all]", 0},
    {"format", KEY_FORMAT, ws_frame_output_or_text_arg + sizeof "text", 0,
     "How to print"
#define FORMAT(word, meaning) "; " #word ": " meaning
#include "base/frame_formats.def"
#undef FORMAT
     " [csv]",
     0},
    {"definitions", KEY_DEFINITIONS, NULL, 0, "Give unit and group of each column in front (csv, json)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    ws_frame_output *const o = state->input;
    switch (key) {
    case KEY_COLUMNS:
        o->columns = arg;
        return 0;
    case KEY_FORMAT:
        o->format = (ws_frame_format)ws_argp_choice(state, "--format", arg, ws_frame_format_words);
        return 0;
    case KEY_DEFINITIONS:
        o->definitions = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ws_frame_output_argp = {.options = options, .parser = parse};

static bool is_in(const size_t *column, size_t n, size_t j)
{
    while (n && column[n - 1] != j)
        n--;
    return n > 0;
}

/* One name or pattern. */
static int match_word(const ws_frame_output *o, const ws_frame *frame, const char *word, size_t *column, size_t *n)
{
    bool found = false;
    for (size_t j = 0; j < frame->columns; j++) {
        if (fnmatch(word, frame->column[j].name, 0))
            continue;
        found = true;
        if (!is_in(column, *n, j))
            column[(*n)++] = j;
    }
    return found ? WS_OK : ws_frame_refuse_column(frame, "--columns", word, o->of ? o->of : "");
}

int ws_frame_output_match(const ws_frame_output *o, const ws_frame *frame, size_t *column, size_t *n)
{
    char *const copy = strdup(o->columns), *rest = copy;
    int status = copy ? WS_OK : ws_fail(WS_EMEM, "no memory for a list of columns");
    for (char *word; !status && (word = strsep(&rest, ","));)
        status = match_word(o, frame, word, column, n);
    free(copy);
    return status;
}

static int pick(const ws_frame_output *o, const ws_frame *frame, ws_frame **out)
{
    size_t *const column = malloc((frame->columns + 1) * sizeof *column), n = 0;
    int status =
        column ? ws_frame_output_match(o, frame, column, &n) : ws_fail(WS_EMEM, "no memory for a list of columns");
    if (!status)
        status = ws_frame_pick_columns(frame, column, n, out);
    free(column);
    return status;
}

int ws_frame_output_print(const ws_frame_output *o, ws_frame *frame, int argc, char **argv)
{
    ws_frame *picked = NULL;
    int status = o->columns ? pick(o, frame, &picked) : WS_OK;
    ws_frame *const shown = picked ? picked : frame;
    if (!status)
        status = ws_options_sign_frame(shown, argc, argv);
    if (!status)
        status = ws_frame_print(shown, o->format, o->definitions, stdout);
    ws_frame_destroy(picked);
    return status;
}
