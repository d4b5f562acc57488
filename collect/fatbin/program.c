/* program.c - where in a file is the device code? */
#include "collect/fatbin/program.h"

#include "base/bounds.h"
#include "base/elf_file.h"
#include "base/grow.h"
#include "collect/fatbin/fatbin_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MACHINE_CUDA = 190, CONTAINER_ALIGN = 8 };

/* ------------------------------------------------------------------------------------------------ containers */

static int add_fatbin(ws_program *p, ws_fatbin *fatbin)
{
    if (WS_GROW(p->fatbin, p->fatbin_room, p->fatbins, 1)) {
        ws_fatbin_close(fatbin);
        return ws_fail(WS_EMEM, "%s: out of memory", p->path);
    }
    p->fatbin[p->fatbins++] = fatbin;
    return WS_OK;
}

/* The next container at or behind an offset, and its bytes; false when there is none. */
static bool next_container(const uint8_t *data, size_t bytes, size_t *at, size_t *length)
{
    for (size_t i = *at; ws_range_within(i, WS_FATBIN_HEADER_BYTES, bytes); i += CONTAINER_ALIGN) {
        const uint64_t size = ws_fatbin_u64(data + i + 8);
        if (ws_fatbin_u32(data + i) != WS_FATBIN_MAGIC || ws_fatbin_u16(data + i + 4) != 1)
            continue;
        *at = i;
        *length = ws_range_within(i + WS_FATBIN_HEADER_BYTES, size, bytes) ? (size_t)size + WS_FATBIN_HEADER_BYTES
                                                                           : bytes - i;
        return true;
    }
    return false;
}

static uint32_t count_containers(const uint8_t *data, size_t bytes)
{
    uint32_t n = 0;
    for (size_t at = 0, length; next_container(data, bytes, &at, &length); at += (length + 7) / 8 * 8)
        n++;
    return n;
}

/* A fat binary for each container. `several`: there are more fat binaries in this file. */
static int add_containers(ws_program *p, const uint8_t *data, size_t bytes, bool several)
{
    int status = WS_OK;
    for (size_t at = 0, length; !status && next_container(data, bytes, &at, &length); at += (length + 7) / 8 * 8) {
        char name[4160];
        ws_fatbin *f;
        snprintf(name, sizeof name, several ? "%s#%u" : "%s", p->path, p->fatbins);
        status = ws_fatbin_open(name, data + at, length, &f);
        if (!status)
            status = add_fatbin(p, f);
    }
    return status;
}

/* One fat binary of all containers, to be linked. */
static int add_linked(ws_program *p, const uint8_t *data, size_t bytes, bool several)
{
    char name[4160];
    ws_fatbin *f;
    snprintf(name, sizeof name, several ? "%s#%u" : "%s", p->path, p->fatbins);
    const int status = ws_fatbin_open_parts(name, data, bytes, &f);
    return status ? status : add_fatbin(p, f);
}

/* ------------------------------------------------------------------------------------------------ files */

static int no_device_code(const ws_program *p, int code, const char *found)
{
    return ws_fail(code,
                   "%s: expected PTX, a fat binary, or a program or object file with device code of nvcc, found %s",
                   p->path, found);
}

/* nvcc puts containers of whole programs and of what is to be linked with others into sections of their own. */
static int open_elf(ws_program *p, const ws_elf *elf)
{
    ws_elf_section whole, parts;
    if (elf->machine == MACHINE_CUDA)
        return no_device_code(p, WS_EUNSUPPORTED,
                              "machine code of a GPU (cubin); build with -gencode arch=compute_75,code=compute_75");
    const bool is_whole = ws_elf_section_named(elf, ".nv_fatbin", &whole) && whole.data;
    const bool is_parts = ws_elf_section_named(elf, "__nv_relfatbin", &parts) && parts.data;
    if (!elf->sections)
        return add_containers(p, p->data, p->bytes, count_containers(p->data, p->bytes) > 1);
    const bool several = (is_whole ? count_containers(whole.data, whole.bytes) : 0) + is_parts > 1;
    int status = is_whole ? add_containers(p, whole.data, whole.bytes, several) : WS_OK;
    if (!status && is_parts)
        status = add_linked(p, parts.data, parts.bytes, several);
    return status;
}

/* A file that begins as a container is one, and the reader says what is wrong with it. */
static int open_container_file(ws_program *p)
{
    ws_fatbin *f;
    int status = add_containers(p, p->data, p->bytes, count_containers(p->data, p->bytes) > 1);
    if (status || p->fatbins)
        return status;
    status = ws_fatbin_open(p->path, p->data, p->bytes, &f);
    return status ? status : add_fatbin(p, f);
}

static int open_content(ws_program *p)
{
    static const char archive[] = "!<arch>\n";
    ws_elf elf;
    if (p->bytes >= 4 && ws_fatbin_u32(p->data) == WS_FATBIN_MAGIC)
        return open_container_file(p);
    if (p->bytes >= 8 && !memcmp(p->data, archive, 8))
        return no_device_code(p, WS_EINPUT, "an archive of object files; take one out of it (ar x)");
    if (!ws_elf_view(p->data, p->bytes, &elf)) {
        p->is_text = true;
        return WS_OK;
    }
    const int status = open_elf(p, &elf);
    return status || p->fatbins ? status : no_device_code(p, WS_EINPUT, "an ELF file without any");
}

static int map_file(ws_program *p)
{
    struct stat about;
    const int in = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (in < 0)
        return ws_fail(errno == ENOENT ? WS_ENOTFOUND : WS_EIO, "%s: cannot be opened: %s", p->path, strerror(errno));
    if (!fstat(in, &about) && S_ISREG(about.st_mode) && about.st_size > 0) {
        void *const data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, in, 0);
        p->is_mapped = data != MAP_FAILED;
        p->data = p->is_mapped ? data : NULL;
        p->bytes = p->is_mapped ? (size_t)about.st_size : 0;
    }
    close(in);
    return WS_OK;
}

static ws_program *new_program(const char *path)
{
    ws_arena *const arena = ws_arena_create();
    ws_program *const p = arena ? ws_arena_alloc(arena, sizeof *p) : NULL;
    const char *const own_path = p ? ws_arena_strndup(arena, path, strlen(path)) : NULL;
    if (own_path) {
        *p = (ws_program){.path = own_path, .arena = arena};
        return p;
    }
    ws_arena_destroy(arena);
    ws_fail(WS_EMEM, "%s: out of memory", path);
    return NULL;
}

static int give(ws_program *p, int status, ws_program **out)
{
    if (status)
        ws_program_close(p);
    else
        *out = p;
    return status;
}

int ws_program_open(const char *path, ws_program **out)
{
    *out = NULL;
    ws_program *const p = new_program(path);
    if (!p)
        return WS_EMEM;
    int status = map_file(p);
    if (!status && p->data)
        status = open_content(p);
    else if (!status)
        p->is_text = true; /* a pipe, or empty: the parser reads it */
    return give(p, status, out);
}

int ws_program_view(const char *name, const void *data, size_t bytes, ws_program **out)
{
    *out = NULL;
    ws_program *const p = new_program(name);
    if (!p)
        return WS_EMEM;
    p->data = data;
    p->bytes = bytes;
    return give(p, open_content(p), out);
}

void ws_program_close(ws_program *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->fatbins; i++)
        ws_fatbin_close(p->fatbin[i]);
    free(p->fatbin);
    if (p->is_mapped)
        munmap((void *)(uintptr_t)p->data, p->bytes);
    ws_arena_destroy(p->arena);
}

/* ------------------------------------------------------------------------------------------------ loading */

static bool has_ptx(const ws_fatbin *f)
{
    for (uint32_t i = 0; i < f->images; i++) {
        if (f->image[i].kind == WS_FATBIN_PTX)
            return true;
    }
    return false;
}

/* Device linking leaves containers without PTX beside those with it. When nothing has any, the last one, which is not
 * made by the linker, says so. */
static int load_suitable(const ws_program *p, uint32_t most, bool (*suits)(const ws_module *module, void *context),
                         void *context, ws_module **out)
{
    uint32_t candidates = 0;
    for (uint32_t i = 0; i < p->fatbins; i++)
        candidates += has_ptx(p->fatbin[i]);
    if (!candidates)
        return ws_fatbin_load(p->fatbin[p->fatbins - 1], most, out);
    for (uint32_t i = 0; i < p->fatbins; i++) {
        ws_module *m = NULL;
        const int status = has_ptx(p->fatbin[i]) ? ws_fatbin_load(p->fatbin[i], most, &m) : WS_OK;
        if (status)
            return status;
        if (m && (candidates == 1 || !suits || suits(m, context))) {
            *out = m;
            return WS_OK;
        }
        ws_module_destroy(m);
    }
    return ws_fail(WS_ENOTFOUND, "%s: none of its %u fat binaries with PTX has all kernels that are launched", p->path,
                   candidates);
}

int ws_program_load(const ws_program *p, uint32_t most, bool (*suits)(const ws_module *module, void *context),
                    void *context, ws_module **out)
{
    *out = NULL;
    if (!p->is_text)
        return load_suitable(p, most, suits, context, out);
    return p->data ? ws_ptx_parse(p->path, p->data, p->bytes, out) : ws_ptx_load(p->path, out);
}
