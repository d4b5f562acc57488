/* device_code.c - which modules are in a file, and which one is meant? */
#include "cli/launch/device_code.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>

/* ------------------------------------------------------------------------------------------------ loading */

static bool has_kernels(const ws_module *module, void *context)
{
    const ws_script *const script = context;
    for (size_t i = 0; i < script->steps; i++) {
        const char *const kernel = script->step[i].kernel;
        const ws_function *const f = kernel ? ws_module_function(module, kernel) : NULL;
        if (kernel && (!f || !f->is_entry))
            return false;
    }
    return true;
}

int ws_device_code_load(const char *path, uint32_t most, const char *launch_file, ws_script **script,
                        ws_module **module)
{
    ws_program *program;
    *script = NULL;
    *module = NULL;
    int status = ws_program_open(path, &program);
    if (status)
        return status;
    if (program->is_text)
        status = ws_program_load(program, most, NULL, NULL, module);
    if (!status)
        status = ws_launchfile_load(launch_file, script);
    if (!status && !*module)
        status = ws_program_load(program, most, has_kernels, *script, module);
    ws_program_close(program);
    return status;
}

static bool has_ptx(const ws_fatbin *f)
{
    bool found = false;
    for (uint32_t i = 0; i < f->images; i++)
        found |= f->image[i].kind == WS_FATBIN_PTX;
    return found;
}

int ws_device_code_each(const char *path, uint32_t most, int (*see)(const ws_module *module, void *context),
                        void *context)
{
    ws_program *program;
    ws_module *module;
    uint32_t seen = 0;
    int status = ws_program_open(path, &program);
    if (status)
        return status;
    for (uint32_t i = 0; !status && i < program->fatbins; i++) {
        if (!has_ptx(program->fatbin[i]))
            continue;
        status = ws_fatbin_load(program->fatbin[i], most, &module);
        if (!status) {
            status = see(module, context);
            ws_module_destroy(module);
        }
        seen++;
    }
    if (!status && !seen) {
        status = ws_program_load(program, most, NULL, NULL, &module);
        if (!status) {
            status = see(module, context);
            ws_module_destroy(module);
        }
    }
    ws_program_close(program);
    return status;
}

/* ------------------------------------------------------------------------------------------------ listing */

static void list_image(const ws_fatbin *f, const ws_fatbin_image *i)
{
    const bool is_ptx = i->kind == WS_FATBIN_PTX;
    printf("%s", f->name);
    if (f->linked)
        printf("[%" PRIu32 "]", i->part);
    printf(": %s %s%" PRIu32, ws_fatbin_kind_name(i->kind), i->kind == WS_FATBIN_CUBIN ? "sm_" : "compute_",
           i->architecture);
    if (is_ptx)
        printf(", ISA %" PRIu32 ".%" PRIu32, i->version_major, i->version_minor);
    if (i->packing)
        printf(", %s, %zu of %" PRIu64 " bytes", ws_fatbin_packing_name(i->packing), i->stored_bytes, i->bytes);
    else
        printf(", %" PRIu64 " bytes", i->bytes);
    if (*i->identifier)
        printf(", of %s", i->identifier);
    if (*i->options)
        printf(", options %s", i->options);
    putchar('\n');
}

static void list_kernels(const ws_module *module)
{
    for (uint32_t i = 0; i < module->functions; i++) {
        const ws_function *const f = module->function[i];
        if (f->is_entry && f->has_body)
            printf("%s: kernel %s, %" PRIu32 " parameter%s in %" PRIu32 " bytes\n", module->file, f->name, f->params,
                   f->params == 1 ? "" : "s", f->param_bytes);
    }
}

/* Images first; then the kernels of the one that would be taken, or why none can be. */
static int list_fatbin(const ws_fatbin *f, uint32_t most)
{
    ws_module *module;
    for (uint32_t i = 0; i < f->images; i++)
        list_image(f, &f->image[i]);
    if (!has_ptx(f))
        return WS_OK;
    const int status = ws_fatbin_load(f, most, &module);
    if (status == WS_EMEM)
        return status;
    if (status)
        printf("%s\n", ws_message());
    else
        list_kernels(module);
    ws_module_destroy(status ? NULL : module);
    return WS_OK;
}

int ws_device_code_list(const char *path, uint32_t most)
{
    ws_program *program;
    ws_module *module;
    int status = ws_program_open(path, &program);
    if (status)
        return status;
    for (uint32_t i = 0; !status && i < program->fatbins; i++)
        status = list_fatbin(program->fatbin[i], most);
    if (!status && program->is_text) {
        status = ws_program_load(program, most, NULL, NULL, &module);
        if (!status) {
            printf("%s: PTX %s, ISA %" PRIu32 ".%" PRIu32 "\n", path, module->target, module->version_major,
                   module->version_minor);
            list_kernels(module);
            ws_module_destroy(module);
        }
    }
    ws_program_close(program);
    return status;
}
