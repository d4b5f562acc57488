/* fuzz_kernel.c - can any kernel that parses break the engine? Decodes every kernel and runs one block of it. */
#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/simt/engine.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PARAM_BYTES = 4096, BUFFER_BYTES = 65536, LIMIT = 3000, THREADS = 48 };

/* Parameters that often are what the kernel wants: addresses of one buffer. */
static void run_kernel(ws_device *device, ws_kernel *kernel, uint64_t buffer)
{
    ws_kernel_facts facts;
    ws_kernel_get_facts(kernel, &facts);
    uint64_t params[PARAM_BYTES / 8];
    if (facts.param_bytes > PARAM_BYTES)
        return;
    for (size_t i = 0; i < PARAM_BYTES / 8; i++)
        params[i] = buffer;
    const ws_run run = {.grid = {2, 1, 1},
                        .block = {THREADS, 1, 1},
                        .dynamic_shared = 256,
                        .params = params,
                        .max_instructions = LIMIT};
    const int status = ws_kernel_run(kernel, &run, NULL);
    if (status && !*ws_message())
        abort(); /* a failure says why */
    (void)device;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_module *module = NULL;
    if (ws_ptx_parse("fuzz", (const char *)data, size, &module) != WS_OK)
        return 0;
    ws_device *device = NULL;
    ws_image *image = NULL;
    uint64_t buffer;
    FILE *sink = fopen("/dev/null", "w");
    const ws_device_options options = {.workers = 1,
                                       .memory_bytes = 64u << 20,
                                       .heap_bytes = 65536,
                                       .low_memory = module->address_bits == 32,
                                       .print = sink};
    if (!sink || ws_device_create(&options, &device) != WS_OK)
        abort();
    if (ws_device_alloc(device, BUFFER_BYTES, &buffer) == WS_OK && ws_image_load(device, module, &image) == WS_OK)
        for (uint32_t i = 0; i < module->functions; i++) {
            ws_kernel *kernel;
            if (module->function[i]->is_entry && ws_image_kernel(image, module->function[i]->name, &kernel) == WS_OK)
                run_kernel(device, kernel, buffer);
        }
    ws_device_destroy(device);
    fclose(sink);
    ws_module_destroy(module);
    return 0;
}
