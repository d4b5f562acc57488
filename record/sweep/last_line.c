/* last_line.c - the line of a log that says how it ended. */
#include "record/sweep/last_line.h"

#include "base/input.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TAIL = 4096 };

static bool ends_with(const char *line, size_t length, const char *end)
{
    const size_t n = strlen(end);
    return length >= n && !strncmp(line + length - n, end, n);
}

void ws_last_line(const char *text, char *line, size_t size)
{
    static const char hint[] = "Try `", hint_end[] = "information.";
    bool in_hint = false;
    *line = '\0';
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        in_hint |= !strncmp(text, hint, sizeof hint - 1);
        if (n && !in_hint)
            snprintf(line, size, "%.*s", (int)(n < size ? n : size - 1), text);
        in_hint &= !ends_with(text, n, hint_end);
    }
}

void ws_last_line_of_file(const char *path, char *line, size_t size)
{
    static const ws_input input = {.what = "a log", .source = WS_INPUT_FILES};
    char tail[TAIL] = "";
    FILE *in;
    if (!ws_input_open_stream(path, &input, &in)) {
        if (fseek(in, 1 - TAIL, SEEK_END))
            rewind(in);
        tail[fread(tail, 1, TAIL - 1, in)] = '\0';
        fclose(in);
    }
    ws_last_line(tail, line, size);
}
