/* compilers.c - answers for nvJitLink and for the PTX compiler, which make machine code of PTX at run time.
 *
 * Calls of their functions are redirected here (collect/preload/compilers.def). In place of machine code a program
 * receives PTX: a fat binary of the linked texts, or the text itself, which cuModuleLoadData takes like a cubin.
 * Neither needs a context. Handles, results and logs are as in the documents of both libraries (docs.nvidia.com/cuda).
 */
#include "collect/cuda/driver_internal.h"

#include "base/status.h"
#include "collect/fatbin/fatbin.h"
#include "collect/ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last message, as a log of the library. */
static void keep_message(char **log)
{
    free(*log);
    *log = strdup(ws_message());
}

static size_t log_bytes(const char *log)
{
    return (log ? strlen(log) : 0) + 1;
}

static void copy_log(char *to, const char *log)
{
    memcpy(to, log ? log : "", log_bytes(log));
}

/* ------------------------------------------------------------------------------------------------ nvJitLink */

typedef enum jitlink_result { /* nvJitLinkResult */
                              JITLINK_SUCCESS,
                              JITLINK_UNRECOGNIZED_OPTION,
                              JITLINK_MISSING_ARCH,
                              JITLINK_INVALID_INPUT,
                              JITLINK_PTX_COMPILE,
                              JITLINK_NVVM_COMPILE,
                              JITLINK_INTERNAL,
                              JITLINK_THREADPOOL,
                              JITLINK_UNRECOGNIZED_INPUT,
                              JITLINK_FINALIZE,
                              JITLINK_NULL_INPUT
} jitlink_result;

typedef enum jitlink_input { /* nvJitLinkInputType */
                             JITLINK_CUBIN = 1,
                             JITLINK_PTX,
                             JITLINK_LTOIR,
                             JITLINK_FATBIN,
                             JITLINK_OBJECT,
                             JITLINK_LIBRARY,
                             JITLINK_INDEX,
                             JITLINK_ANY = 10
} jitlink_input;

typedef struct jitlink {
    CUlinkState state;
    const void *image; /* of the state, when complete */
    size_t bytes;
    char *log;
} jitlink;

jitlink_result ws_jitlink_create(jitlink **handle, uint32_t count, const char **option);
jitlink_result ws_jitlink_create(jitlink **handle, uint32_t count, const char **option)
{
    bool has_architecture = false;
    if (!handle || (count && !option))
        return JITLINK_NULL_INPUT;
    for (uint32_t i = 0; i < count; i++)
        has_architecture |= option[i] && !strncmp(option[i], "-arch=", 6);
    if (!has_architecture)
        return JITLINK_MISSING_ARCH;
    jitlink *const j = calloc(1, sizeof *j);
    if (j)
        j->state = ws_link_new();
    if (!j || !j->state) {
        free(j);
        return JITLINK_INTERNAL;
    }
    *handle = j;
    return JITLINK_SUCCESS;
}

jitlink_result ws_jitlink_destroy(jitlink **handle);
jitlink_result ws_jitlink_destroy(jitlink **handle)
{
    if (!handle || !*handle)
        return JITLINK_NULL_INPUT;
    ws_link_free((*handle)->state);
    free((*handle)->log);
    free(*handle);
    *handle = NULL;
    return JITLINK_SUCCESS;
}

static CUjitInputType driver_type(jitlink_input type, const void *data)
{
    switch (type) {
    case JITLINK_PTX:
        return CU_JIT_INPUT_PTX;
    case JITLINK_CUBIN:
        return CU_JIT_INPUT_CUBIN;
    case JITLINK_LTOIR:
        return CU_JIT_INPUT_NVVM;
    case JITLINK_OBJECT:
        return CU_JIT_INPUT_OBJECT;
    case JITLINK_LIBRARY:
        return CU_JIT_INPUT_LIBRARY;
    case JITLINK_ANY:
        return ws_fatbin_begins(data) || !strncmp(data, "\177ELF", 4) ? CU_JIT_INPUT_OBJECT : CU_JIT_INPUT_PTX;
    default:
        return CU_JIT_INPUT_FATBINARY;
    }
}

/* What went wrong goes into the log, and to stderr as the driver's own errors do. */
static jitlink_result jitlink_answer(jitlink *j, int status)
{
    if (!status)
        return JITLINK_SUCCESS;
    keep_message(&j->log);
    ws_driver_report(status);
    return status == WS_EINPUT || status == WS_EVERSION ? JITLINK_PTX_COMPILE
           : status == WS_EUNSUPPORTED                  ? JITLINK_UNRECOGNIZED_INPUT
           : status == WS_ENOTFOUND || status == WS_EIO ? JITLINK_INVALID_INPUT
                                                        : JITLINK_INTERNAL;
}

jitlink_result ws_jitlink_add_data(jitlink *j, jitlink_input type, const void *data, size_t bytes, const char *name);
jitlink_result ws_jitlink_add_data(jitlink *j, jitlink_input type, const void *data, size_t bytes, const char *name)
{
    if (!j || !data || !bytes)
        return JITLINK_NULL_INPUT;
    return jitlink_answer(
        j, ws_link_add(j->state, driver_type(type, data), name && *name ? name : "<nvJitLink input>", data, bytes));
}

jitlink_result ws_jitlink_add_file(jitlink *j, jitlink_input type, const char *path);
jitlink_result ws_jitlink_add_file(jitlink *j, jitlink_input type, const char *path)
{
    if (!j || !path)
        return JITLINK_NULL_INPUT;
    if (type == JITLINK_LTOIR)
        return jitlink_answer(j, ws_link_add(j->state, CU_JIT_INPUT_NVVM, path, "", 1));
    return jitlink_answer(j, ws_link_add_file(j->state, path));
}

jitlink_result ws_jitlink_complete(jitlink *j);
jitlink_result ws_jitlink_complete(jitlink *j)
{
    if (!j || j->image)
        return j ? JITLINK_INTERNAL : JITLINK_NULL_INPUT;
    return jitlink_answer(j, ws_link_finish(j->state, &j->image, &j->bytes)) ? JITLINK_FINALIZE : JITLINK_SUCCESS;
}

jitlink_result ws_jitlink_cubin_size(const jitlink *j, size_t *bytes);
jitlink_result ws_jitlink_cubin_size(const jitlink *j, size_t *bytes)
{
    if (!j || !bytes)
        return JITLINK_NULL_INPUT;
    *bytes = j->bytes;
    return j->image ? JITLINK_SUCCESS : JITLINK_INVALID_INPUT;
}

jitlink_result ws_jitlink_cubin(const jitlink *j, void *cubin);
jitlink_result ws_jitlink_cubin(const jitlink *j, void *cubin)
{
    if (!j || !cubin || !j->image)
        return JITLINK_NULL_INPUT;
    memcpy(cubin, j->image, j->bytes);
    return JITLINK_SUCCESS;
}

/* Only link-time optimisation makes PTX. */
static jitlink_result no_ptx(jitlink *j)
{
    if (!j)
        return JITLINK_NULL_INPUT;
    return jitlink_answer(j,
                          ws_fail(WS_EUNSUPPORTED, "nvJitLinkGetLinkedPtx: PTX of link-time optimisation (LTO-IR) is "
                                                   "not supported; load the linked program instead"));
}

jitlink_result ws_jitlink_ptx_size(jitlink *j, size_t *bytes);
jitlink_result ws_jitlink_ptx_size(jitlink *j, size_t *bytes)
{
    if (bytes)
        *bytes = 0;
    return no_ptx(j);
}

jitlink_result ws_jitlink_ptx(jitlink *j, char *ptx);
jitlink_result ws_jitlink_ptx(jitlink *j, char *ptx)
{
    (void)ptx;
    return no_ptx(j);
}

jitlink_result ws_jitlink_error_size(const jitlink *j, size_t *bytes);
jitlink_result ws_jitlink_error_size(const jitlink *j, size_t *bytes)
{
    if (!j || !bytes)
        return JITLINK_NULL_INPUT;
    *bytes = log_bytes(j->log);
    return JITLINK_SUCCESS;
}

jitlink_result ws_jitlink_error(const jitlink *j, char *log);
jitlink_result ws_jitlink_error(const jitlink *j, char *log)
{
    if (!j || !log)
        return JITLINK_NULL_INPUT;
    copy_log(log, j->log);
    return JITLINK_SUCCESS;
}

/* The log of information is empty. */
jitlink_result ws_jitlink_info_size(const jitlink *j, size_t *bytes);
jitlink_result ws_jitlink_info_size(const jitlink *j, size_t *bytes)
{
    if (!j || !bytes)
        return JITLINK_NULL_INPUT;
    *bytes = log_bytes(NULL);
    return JITLINK_SUCCESS;
}

jitlink_result ws_jitlink_info(const jitlink *j, char *log);
jitlink_result ws_jitlink_info(const jitlink *j, char *log)
{
    if (!j || !log)
        return JITLINK_NULL_INPUT;
    copy_log(log, NULL);
    return JITLINK_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ PTX compiler */

typedef enum ptxcompiler_result { /* nvPTXCompileResult */
                                  PTXCOMPILER_SUCCESS,
                                  PTXCOMPILER_INVALID_HANDLE,
                                  PTXCOMPILER_INVALID_INPUT,
                                  PTXCOMPILER_FAILURE,
                                  PTXCOMPILER_INTERNAL,
                                  PTXCOMPILER_OUT_OF_MEMORY,
                                  PTXCOMPILER_INCOMPLETE,
                                  PTXCOMPILER_UNSUPPORTED_VERSION
} ptxcompiler_result;

typedef struct ptxcompiler {
    char *text; /* ends with NUL */
    size_t length;
    bool is_compiled;
    char *log;
} ptxcompiler;

ptxcompiler_result ws_ptxcompiler_create(ptxcompiler **handle, size_t length, const char *ptx);
ptxcompiler_result ws_ptxcompiler_create(ptxcompiler **handle, size_t length, const char *ptx)
{
    if (!handle || !ptx)
        return PTXCOMPILER_INVALID_INPUT;
    ptxcompiler *const c = calloc(1, sizeof *c);
    char *const text = c ? strndup(ptx, length) : NULL;
    if (!text) {
        free(c);
        return PTXCOMPILER_OUT_OF_MEMORY;
    }
    c->text = text;
    c->length = strlen(text);
    *handle = c;
    return PTXCOMPILER_SUCCESS;
}

ptxcompiler_result ws_ptxcompiler_destroy(ptxcompiler **handle);
ptxcompiler_result ws_ptxcompiler_destroy(ptxcompiler **handle)
{
    if (!handle || !*handle)
        return PTXCOMPILER_INVALID_HANDLE;
    free((*handle)->text);
    free((*handle)->log);
    free(*handle);
    *handle = NULL;
    return PTXCOMPILER_SUCCESS;
}

ptxcompiler_result ws_ptxcompiler_compile(ptxcompiler *c, int count, const char *const *option);
ptxcompiler_result ws_ptxcompiler_compile(ptxcompiler *c, int count, const char *const *option)
{
    ws_module *module;
    if (!c)
        return PTXCOMPILER_INVALID_HANDLE;
    if (count < 0 || (count && !option))
        return PTXCOMPILER_INVALID_INPUT;
    const int status = ws_ptx_parse("<PTX compiler input>", c->text, c->length, &module);
    if (status) {
        keep_message(&c->log);
        ws_driver_report(status);
        return status == WS_EVERSION ? PTXCOMPILER_UNSUPPORTED_VERSION
               : status == WS_EMEM   ? PTXCOMPILER_OUT_OF_MEMORY
                                     : PTXCOMPILER_FAILURE;
    }
    ws_module_destroy(module);
    c->is_compiled = true;
    return PTXCOMPILER_SUCCESS;
}

ptxcompiler_result ws_ptxcompiler_program_size(const ptxcompiler *c, size_t *bytes);
ptxcompiler_result ws_ptxcompiler_program_size(const ptxcompiler *c, size_t *bytes)
{
    if (!c)
        return PTXCOMPILER_INVALID_HANDLE;
    if (!bytes)
        return PTXCOMPILER_INVALID_INPUT;
    *bytes = c->is_compiled ? c->length + 1 : 0;
    return c->is_compiled ? PTXCOMPILER_SUCCESS : PTXCOMPILER_INCOMPLETE;
}

ptxcompiler_result ws_ptxcompiler_program(const ptxcompiler *c, void *program);
ptxcompiler_result ws_ptxcompiler_program(const ptxcompiler *c, void *program)
{
    if (!c)
        return PTXCOMPILER_INVALID_HANDLE;
    if (!program || !c->is_compiled)
        return program ? PTXCOMPILER_INCOMPLETE : PTXCOMPILER_INVALID_INPUT;
    memcpy(program, c->text, c->length + 1);
    return PTXCOMPILER_SUCCESS;
}

ptxcompiler_result ws_ptxcompiler_error_size(const ptxcompiler *c, size_t *bytes);
ptxcompiler_result ws_ptxcompiler_error_size(const ptxcompiler *c, size_t *bytes)
{
    if (!c || !bytes)
        return c ? PTXCOMPILER_INVALID_INPUT : PTXCOMPILER_INVALID_HANDLE;
    *bytes = c->log ? log_bytes(c->log) : 0;
    return PTXCOMPILER_SUCCESS;
}

ptxcompiler_result ws_ptxcompiler_error(const ptxcompiler *c, char *log);
ptxcompiler_result ws_ptxcompiler_error(const ptxcompiler *c, char *log)
{
    if (!c || !log)
        return c ? PTXCOMPILER_INVALID_INPUT : PTXCOMPILER_INVALID_HANDLE;
    copy_log(log, c->log);
    return PTXCOMPILER_SUCCESS;
}

ptxcompiler_result ws_ptxcompiler_info_size(const ptxcompiler *c, size_t *bytes);
ptxcompiler_result ws_ptxcompiler_info_size(const ptxcompiler *c, size_t *bytes)
{
    if (!c || !bytes)
        return c ? PTXCOMPILER_INVALID_INPUT : PTXCOMPILER_INVALID_HANDLE;
    *bytes = 0;
    return PTXCOMPILER_SUCCESS;
}

ptxcompiler_result ws_ptxcompiler_info(const ptxcompiler *c, char *log);
ptxcompiler_result ws_ptxcompiler_info(const ptxcompiler *c, char *log)
{
    if (!c || !log)
        return c ? PTXCOMPILER_INVALID_INPUT : PTXCOMPILER_INVALID_HANDLE;
    copy_log(log, NULL);
    return PTXCOMPILER_SUCCESS;
}
