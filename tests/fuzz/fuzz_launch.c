/* fuzz_launch.c - can any bytes break the reader of launch files, and can what it accepts be worked with? */
#include "base/status.h"
#include "cli/launch/launch_content.h"
#include "cli/launch/launch_value.h"
#include "cli/launch/launchfile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Elements of a moderate number are really made, and agree with themselves. */
static void check_content(const ws_script *s, const ws_content *c, ws_type type, uint64_t count)
{
    enum { MOST = 4096 };
    static const unsigned char zeros[MOST * 8];
    unsigned char memory[MOST * 8] = {0};
    ws_mismatch m;
    uint64_t total = 0;
    for (size_t i = 0; i < c->runs; i++)
        total += c->run[i].count;
    require(c->kind != WS_CONTENT_VALUES || total == count);
    if (count > MOST || c->kind == WS_CONTENT_FILE)
        return;
    require(ws_content_write(s, c, type, count, zeros, memory) == WS_OK);
    ws_content_compare(type, memory, memory, count, 0, 0, &m);
    require(!m.differing);
    for (uint64_t i = 0; i < count && i < 16; i++) {
        char text[WS_VALUE_BYTES];
        uint64_t bits = ws_value_load(type, memory + i * ws_value_bytes(type)), back;
        ws_value_print(type, bits, text);
        require(!ws_value_parse(type, text, strlen(text), &back) && ws_value_same(type, bits, back, 0, 0));
    }
}

static void check_step(const ws_script *s, const ws_script_step *step)
{
    const bool on_buffer = step->kind == WS_STEP_SET || step->kind == WS_STEP_EXPECT || step->kind == WS_STEP_PRINT;
    if (on_buffer) {
        require(step->buffer < s->buffers);
        const ws_launch_buffer *const b = &s->buffer[step->buffer];
        if (step->kind != WS_STEP_SET)
            require(step->count && step->first + step->count <= b->count);
        if (step->kind != WS_STEP_PRINT)
            check_content(s, &step->content, b->type, step->kind == WS_STEP_SET ? b->count : step->count);
    }
    if (step->kind == WS_STEP_LAUNCH)
        require(step->kernel && step->grid[2] && step->block[2]);
    for (size_t i = 0; i < step->arguments; i++)
        require(step->argument[i].kind != WS_ARGUMENT_BUFFER || step->argument[i].buffer < s->buffers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_script *script = NULL;
    if (ws_launchfile_parse("fuzz", (const char *)data, size, &script) != WS_OK) {
        require(!script && strncmp(ws_message(), "fuzz:", 5) == 0);
        return 0;
    }
    for (size_t i = 0; i < script->steps; i++)
        check_step(script, &script->step[i]);
    ws_script_destroy(script);
    return 0;
}
