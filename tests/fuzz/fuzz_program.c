/* fuzz_program.c - can any file break the search for device code in it? */
#include "base/status.h"
#include "collect/fatbin/program.h"
#include "collect/ptx/module.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHEAP_BYTES = 1 << 20 };

static bool is_cheap(const ws_program *p)
{
    for (uint32_t f = 0; f < p->fatbins; f++) {
        for (uint32_t i = 0; i < p->fatbin[f]->images; i++) {
            if (p->fatbin[f]->image[i].bytes > CHEAP_BYTES)
                return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_program *p;
    ws_module *module = NULL;
    if (ws_program_view("fuzz", data, size, &p) != WS_OK) {
        if (p || !strstr(ws_message(), "fuzz"))
            abort();
        return 0;
    }
    if (!p->is_text && is_cheap(p) && ws_program_load(p, 0, NULL, NULL, &module) == WS_OK) {
        if (!module->functions && module->vars > size)
            abort();
        ws_module_destroy(module);
    }
    ws_program_close(p);
    return 0;
}
