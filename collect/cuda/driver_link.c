/* driver_link.c - several modules to one: the linker of the driver API.
 *
 * What is added is kept as PTX text. cuLinkComplete links a copy, to see whether it goes well, and gives a fat binary
 * of all texts, which is linked again when it is loaded: so the result is a block of bytes that a program may store and
 * load later. */
#include "collect/cuda/driver_internal.h"

#include "base/bytes.h"
#include "base/grow.h"
#include "base/status.h"
#include "collect/fatbin/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *name, *ptx;
    size_t length;
} text;

struct CUlinkState_st {
    ws_handle handle;
    text *part;
    uint32_t parts, part_room;
    ws_bytes result;
    /* of cuLinkCreate: where to say what is wrong */
    unsigned options;
    CUjit_option *option;
    void **value;
};

CUlinkState ws_link_new(void)
{
    return calloc(1, sizeof(struct CUlinkState_st));
}

static CUlinkState state_of(CUlinkState state)
{
    return ws_handle_find(state, WS_HANDLE_LINK);
}

/* ------------------------------------------------------------------------------------------------ life */

CUresult cuLinkCreate(unsigned int count, CUjit_option *option, void **value, CUlinkState *out)
{
    WS_ENTER_CONTEXT(context);
    if (!out || (count && (!option || !value)))
        return CUDA_ERROR_INVALID_VALUE;
    const CUlinkState state = calloc(1, sizeof *state);
    if (!state)
        return CUDA_ERROR_OUT_OF_MEMORY;
    state->options = count;
    state->option = calloc(count + 1, sizeof *option);
    state->value = calloc(count + 1, sizeof *value);
    if (!state->option || !state->value) {
        free(state->option);
        free(state->value);
        free(state);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (count) {
        memcpy(state->option, option, count * sizeof *option);
        memcpy(state->value, value, count * sizeof *value);
    }
    ws_handle_add(&state->handle, (uintptr_t)state, WS_HANDLE_LINK, context);
    *out = state;
    return CUDA_SUCCESS;
}

void ws_link_free(CUlinkState state)
{
    for (uint32_t i = 0; i < state->parts; i++) {
        free(state->part[i].name);
        free(state->part[i].ptx);
    }
    free(state->part);
    ws_bytes_fini(&state->result);
    free(state->option);
    free(state->value);
    free(state);
}

void ws_link_release(CUlinkState state)
{
    ws_handle_remove(&state->handle);
    ws_link_free(state);
}

CUresult cuLinkDestroy(CUlinkState state)
{
    WS_ENTER_CONTEXT(context);
    if (!state_of(state))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_link_release(state);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ adding */

static int out_of_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: out of memory", name);
}

/* Keeps PTX that parses; takes ptx over, also when it fails. */
static int keep(CUlinkState state, const char *name, char *ptx, size_t length)
{
    ws_module *module;
    int status = ws_ptx_parse(name, ptx, length, &module);
    const bool fits = !status && !WS_GROW(state->part, state->part_room, state->parts, 1);
    char *const own_name = fits ? strdup(name) : NULL;
    if (!status)
        ws_module_destroy(module);
    if (!own_name) {
        free(ptx);
        return status ? status : out_of_memory(name);
    }
    state->part[state->parts++] = (text){own_name, ptx, length};
    return WS_OK;
}

static int keep_copy(CUlinkState state, const char *name, const void *ptx, size_t length)
{
    char *const copy = malloc(length + 1);
    if (!copy)
        return out_of_memory(name);
    memcpy(copy, ptx, length);
    copy[length] = '\0';
    return keep(state, name, copy, length);
}

/* The PTX of each part. */
static int keep_fat_binary(CUlinkState state, const ws_fatbin *f)
{
    uint32_t most;
    int status = ws_driver_architecture(&most);
    for (uint32_t part = 0; part < f->parts && !status; part++) {
        const ws_fatbin_image *image;
        char name[4200], *ptx;
        size_t length;
        snprintf(name, sizeof name, f->parts > 1 ? "%s[%u]" : "%s", f->name, part);
        status = ws_fatbin_choose(f, part, most, &image);
        if (!status)
            status = ws_fatbin_unpack(f, image, &ptx, &length);
        if (!status)
            status = keep(state, *image->identifier ? image->identifier : name, ptx, length);
    }
    return status;
}

/* Object files and programs; what has no PTX beside what has some is left out, as the program loader does. */
static int keep_program(CUlinkState state, const ws_program *p)
{
    const uint32_t before = state->parts;
    int status = WS_OK;
    if (p->is_text)
        return p->data ? keep_copy(state, p->path, p->data, p->bytes)
                       : ws_fail(WS_EINPUT, "%s: expected a file with device code, found it empty", p->path);
    for (uint32_t i = 0; i < p->fatbins && !status; i++) {
        status = keep_fat_binary(state, p->fatbin[i]);
        if (status == WS_EUNSUPPORTED && (i + 1 < p->fatbins || state->parts > before))
            status = WS_OK;
    }
    return status;
}

int ws_link_add(CUlinkState state, CUjitInputType type, const char *name, const void *data, size_t bytes)
{
    ws_fatbin *f = NULL;
    ws_program *p = NULL;
    int status;
    if (type == CU_JIT_INPUT_PTX)
        return keep_copy(state, name, data, bytes);
    if (ws_fatbin_begins(data)) {
        status = ws_fatbin_open(name, data, bytes, &f);
        if (!status)
            status = keep_fat_binary(state, f);
        ws_fatbin_close(f);
        return status;
    }
    if (type != CU_JIT_INPUT_OBJECT)
        return ws_fail(WS_EUNSUPPORTED, "%s: expected PTX, a fat binary or an object file to link, found %s", name,
                       type == CU_JIT_INPUT_LIBRARY
                           ? "an archive; kernels that launch kernels (libcudadevrt.a) cannot run"
                       : type == CU_JIT_INPUT_NVVM  ? "code for link-time optimisation (LTO-IR); compile it to PTX, "
                                                      "without -dlto"
                       : type == CU_JIT_INPUT_CUBIN ? "machine code of a GPU (cubin)"
                                                    : "something else");
    status = ws_program_view(name, data, bytes, &p);
    if (!status)
        status = keep_program(state, p);
    ws_program_close(p);
    return status;
}

/* The reason goes into the log of the call, or else of the state. */
static CUresult answer(CUlinkState state, int status, unsigned count, CUjit_option *option, void **value)
{
    if (!status)
        return CUDA_SUCCESS;
    ws_driver_fill_log(state->options, state->option, state->value, ws_message());
    ws_driver_fill_log(count, option, value, ws_message());
    const CUresult result = ws_driver_report(status);
    return status == WS_EINPUT         ? CUDA_ERROR_INVALID_PTX
           : status == WS_EVERSION     ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
           : status == WS_EUNSUPPORTED ? CUDA_ERROR_NO_BINARY_FOR_GPU
           : status == WS_ENOTFOUND    ? CUDA_ERROR_FILE_NOT_FOUND
                                       : result;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                       unsigned int count, CUjit_option *option, void **value)
{
    WS_ENTER_CONTEXT(context);
    if (!state_of(state))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!data || !bytes || (count && (!option || !value)) || (unsigned)type > CU_JIT_INPUT_NVVM || state->result.length)
        return CUDA_ERROR_INVALID_VALUE;
    char own[32];
    snprintf(own, sizeof own, "<input %u>", state->parts + 1);
    return answer(state, ws_link_add(state, type, name && *name ? name : own, data, bytes), count, option, value);
}

int ws_link_add_file(CUlinkState state, const char *path)
{
    ws_program *p = NULL;
    int status = ws_program_open(path, &p);
    if (!status)
        status = keep_program(state, p);
    ws_program_close(p);
    return status;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
                       CUjit_option *option, void **value)
{
    WS_ENTER_CONTEXT(context);
    if (!state_of(state))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!path || (count && (!option || !value)) || (unsigned)type > CU_JIT_INPUT_NVVM || state->result.length)
        return CUDA_ERROR_INVALID_VALUE;
    return answer(state, ws_link_add_file(state, path), count, option, value);
}

/* ------------------------------------------------------------------------------------------------ completing */

static int parse_all(CUlinkState state, ws_module **module, uint32_t *n)
{
    int status = state->parts ? WS_OK : ws_fail(WS_EINPUT, "expected something to link, found nothing");
    for (; *n < state->parts && !status; *n += !status)
        status = ws_ptx_parse(state->part[*n].name, state->part[*n].ptx, state->part[*n].length, &module[*n]);
    return status;
}

static int link_all(CUlinkState state)
{
    ws_module **const module = calloc(state->parts + 1, sizeof(ws_module *));
    ws_module *linked = NULL;
    uint32_t n = 0;
    if (!module)
        return out_of_memory("linked modules");
    int status = parse_all(state, module, &n);
    if (status)
        while (n)
            ws_module_destroy(module[--n]);
    else
        status = ws_ptx_link("linked modules", module, n, ws_engine_provides, &linked);
    ws_module_destroy(linked);
    free(module);
    return status;
}

static int write_all(CUlinkState state)
{
    ws_fatbin_part *const part = calloc(state->parts, sizeof *part);
    if (!part)
        return out_of_memory("linked modules");
    for (uint32_t i = 0; i < state->parts; i++)
        part[i] = (ws_fatbin_part){state->part[i].name, state->part[i].ptx, state->part[i].length};
    const int status = ws_fatbin_write(part, state->parts, &state->result);
    free(part);
    return status;
}

int ws_link_finish(CUlinkState state, const void **image, size_t *bytes)
{
    int status = link_all(state);
    if (!status)
        status = write_all(state);
    if (!status) {
        *image = state->result.data;
        *bytes = state->result.length;
    }
    return status;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    WS_ENTER_CONTEXT(context);
    if (!state_of(state))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!image || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (state->result.length)
        return CUDA_ERROR_INVALID_HANDLE; /* is complete; as driver 580 answers */
    const void *made;
    const int status = ws_link_finish(state, &made, bytes);
    if (status) {
        const CUresult result = answer(state, status, 0, NULL, NULL);
        return result == CUDA_ERROR_INVALID_PTX ? CUDA_ERROR_UNKNOWN : result; /* as driver 580 answers */
    }
    *image = state->result.data;
    return CUDA_SUCCESS;
}
