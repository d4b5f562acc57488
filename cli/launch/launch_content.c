/* launch_content.c - see launch_content.h. Random contents come from GSL's MT19937, 64 bits an element. */
#include "cli/launch/launch_content.h"

#include "base/input.h"
#include "base/status.h"
#include "cli/launch/launch_value.h"

#include <gsl/gsl_rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *element(ws_type type, void *memory, uint64_t i)
{
    return (char *)memory + i * ws_value_bytes(type);
}

static void write_iota(const ws_content *c, ws_type type, uint64_t count, void *memory)
{
    const bool is_float = ws_type_kind_of(type) == WS_KIND_FLOAT;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t whole = (uint64_t)c->first + i * (uint64_t)c->by;
        ws_value_store(type, element(type, memory, i),
                       is_float ? ws_value_from_double(type, c->start + (double)i * c->step) : whole);
    }
}

/* Floats: low + u (high - low) with u in [0, 1); integers: low..high, both included. */
static int write_random(const ws_content *c, ws_type type, uint64_t count, void *memory)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!rng)
        return ws_fail(WS_EMEM, "out of memory");
    gsl_rng_set(rng, c->seed);
    const uint64_t span = (uint64_t)c->by - (uint64_t)c->first; /* values less one */
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t high = gsl_rng_get(rng), draw = high << 32 | gsl_rng_get(rng);
        uint64_t bits;
        if (ws_type_kind_of(type) == WS_KIND_FLOAT)
            bits = ws_value_from_double(type, c->start + (double)(draw >> 11) * 0x1p-53 * (c->step - c->start));
        else
            bits = (uint64_t)c->first + (span == UINT64_MAX ? draw : draw % (span + 1));
        ws_value_store(type, element(type, memory, i), bits);
    }
    gsl_rng_free(rng);
    return WS_OK;
}

static void write_values(const ws_content *c, ws_type type, void *memory)
{
    uint64_t at = 0;
    for (size_t r = 0; r < c->runs; r++)
        for (uint64_t i = 0; i < c->run[r].count; i++)
            ws_value_store(type, element(type, memory, at++), c->run[r].bits);
}

static int write_file(const ws_script *script, const ws_content *c, uint64_t bytes, void *memory)
{
    char path[4096];
    const char *const folder = c->path[0] == '/' ? "" : script->folder;
    if ((size_t)snprintf(path, sizeof path, "%s%s", folder, c->path) >= sizeof path)
        return ws_fail(WS_EINPUT, "%s:%u:%u: the name of the file is too long", script->file, c->line, c->column);
    static const ws_input content = {.what = "the content of a buffer", .source = WS_INPUT_FILES};
    FILE *in;
    const int status = ws_input_open_stream(path, &content, &in);
    if (status)
        return ws_fail_context(status, "%s:%u:%u", script->file, c->line, c->column);
    const size_t n = fread(memory, 1, bytes, in);
    const bool more = n == bytes && fgetc(in) != EOF, failed = ferror(in) != 0;
    fclose(in);
    if (failed)
        return ws_fail(WS_EIO, "%s:%u:%u: %s: cannot be read", script->file, c->line, c->column, path);
    if (n < bytes || more)
        return ws_fail(WS_EINPUT, "%s:%u:%u: %s: expected %llu bytes, found %s%llu", script->file, c->line, c->column,
                       path, (unsigned long long)bytes, more ? "more than " : "", (unsigned long long)n);
    return WS_OK;
}

int ws_content_write(const ws_script *script, const ws_content *content, ws_type type, uint64_t count, const void *same,
                     void *memory)
{
    const uint64_t bytes = count * ws_value_bytes(type);
    switch (content->kind) {
    case WS_CONTENT_KEEP:
        return WS_OK;
    case WS_CONTENT_ZERO:
        memset(memory, 0, bytes);
        return WS_OK;
    case WS_CONTENT_FILL:
        for (uint64_t i = 0; i < count; i++)
            ws_value_store(type, element(type, memory, i), content->bits);
        return WS_OK;
    case WS_CONTENT_IOTA:
        write_iota(content, type, count, memory);
        return WS_OK;
    case WS_CONTENT_RANDOM:
        return write_random(content, type, count, memory);
    case WS_CONTENT_VALUES:
        write_values(content, type, memory);
        return WS_OK;
    case WS_CONTENT_FILE:
        return write_file(script, content, bytes, memory);
    case WS_CONTENT_SAME:
        memmove(memory, same, bytes);
        return WS_OK;
    }
    return WS_OK;
}

void ws_content_compare(ws_type type, const void *memory, const void *wanted, uint64_t count, double within,
                        double relative, ws_mismatch *mismatch)
{
    const size_t bytes = ws_value_bytes(type);
    *mismatch = (ws_mismatch){0};
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t a = ws_value_load(type, (const char *)memory + i * bytes);
        const uint64_t b = ws_value_load(type, (const char *)wanted + i * bytes);
        if (ws_value_same(type, a, b, within, relative))
            continue;
        if (!mismatch->differing++) {
            mismatch->element = i;
            mismatch->found = a;
            mismatch->wanted = b;
        }
    }
}
