/* fuzz_link.c - can any modules break the PTX linker, or what it makes break the engine? The input holds up to four
 * texts with lines of "//====" between them. What links is decoded, and one block of each kernel runs. */
#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/simt/engine.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXTS = 4, PARAM_BYTES = 4096, BUFFER_BYTES = 65536, LIMIT = 1000 };

static const char between[] = "//====\n";

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Parses the texts that do; the number of modules. */
static uint32_t parse(const char *text, size_t size, ws_module **module)
{
    uint32_t n = 0;
    const char *const end = text + size;
    while (text && n < TEXTS) {
        const char *const next = memmem(text, (size_t)(end - text), between, sizeof between - 1);
        n += ws_ptx_parse("fuzz", text, (size_t)((next ? next : end) - text), &module[n]) == WS_OK;
        text = next ? next + sizeof between - 1 : NULL;
    }
    return n;
}

static void check(const ws_module *m)
{
    for (uint32_t i = 0; i < m->functions; i++)
        require(ws_module_function(m, m->function[i]->name) != NULL);
    for (uint32_t i = 0; i < m->vars; i++) {
        const ws_variable *const v = m->var[i];
        require(ws_module_variable(m, v->name) != NULL);
        for (uint32_t k = 0; k < v->relocs; k++)
            require(v->reloc[k].offset + v->reloc[k].bytes <= v->size && v->reloc[k].name);
    }
}

static void run(ws_image *image, const char *name, uint64_t buffer)
{
    ws_kernel *kernel;
    ws_kernel_facts facts;
    uint64_t params[PARAM_BYTES / 8];
    if (ws_image_kernel(image, name, &kernel) != WS_OK)
        return;
    ws_kernel_get_facts(kernel, &facts);
    if (facts.param_bytes > PARAM_BYTES)
        return;
    for (size_t i = 0; i < PARAM_BYTES / 8; i++)
        params[i] = buffer;
    const ws_run one = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared = 256, .params = params, .max_instructions = LIMIT};
    require(ws_kernel_run(kernel, &one, NULL) == WS_OK || *ws_message());
}

static void use(const ws_module *module)
{
    ws_device *device = NULL;
    ws_image *image = NULL;
    uint64_t buffer;
    FILE *const sink = fopen("/dev/null", "w");
    const ws_device_options options = {.workers = 1,
                                       .memory_bytes = 64u << 20,
                                       .heap_bytes = 65536,
                                       .low_memory = module->address_bits == 32,
                                       .print = sink};
    require(sink && ws_device_create(&options, &device) == WS_OK);
    if (ws_device_alloc(device, BUFFER_BYTES, &buffer) == WS_OK && ws_image_load(device, module, &image) == WS_OK)
        for (uint32_t i = 0; i < module->functions; i++) {
            if (module->function[i]->is_entry)
                run(image, module->function[i]->name, buffer);
        }
    ws_device_destroy(device);
    fclose(sink);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_module *module[TEXTS] = {NULL}, *linked = NULL;
    const uint32_t n = parse((const char *)data, size, module);
    if (!n)
        return 0;
    if (ws_ptx_link("fuzz", module, n, ws_engine_provides, &linked) != WS_OK) {
        require(!linked && *ws_message());
        return 0;
    }
    check(linked);
    use(linked);
    ws_module_destroy(linked);
    return 0;
}
