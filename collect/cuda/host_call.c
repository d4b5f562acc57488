/* host_call.c - see host_call.h. Symbols are those of the file's symbol table, for dladdr knows exported ones alone. */
#include "collect/cuda/host_call.h"

#include "base/demangle.h"
#include "base/elf_file.h"
#include "base/grow.h"
#include "collect/cuda/host_line.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 64, SHOWN = 2, FILE_TEXT = 80, FUNCTION_TEXT = 160, LINE_TEXT = 160 };

static const char *base_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Of the libraries that stand between the program and the driver. */
static bool is_ours(const void *address)
{
    Dl_info at, self;
    if (!dladdr(address, &at) || !at.dli_fname)
        return false;
    const char *const name = base_of(at.dli_fname);
    return (dladdr((void *)(uintptr_t)is_ours, &self) && self.dli_fbase == at.dli_fbase) || begins(name, "libcuda") ||
           begins(name, "libwarpscape");
}

void ws_host_call_here(ws_host_call *out)
{
    void *frame[DEEPEST];
    const int n = backtrace(frame, DEEPEST);
    int first = 1; /* behind this function's own */
    while (first < n && is_ours(frame[first]))
        first++;
    *out = (ws_host_call){{NULL}};
    for (int i = 0; i < WS_HOST_FRAMES && first + i < n; i++)
        out->frame[i] = frame[first + i];
}

/* ------------------------------------------------------------------------------------------------ sites */

/* A call: of a function that was inlined there are several at one address, which follow each other. */
typedef struct ws_host_site {
    char file[FILE_TEXT], function[FUNCTION_TEXT];
    char line[LINE_TEXT]; /* "app.cu:12"; "": not known */
    uint64_t address;     /* in the file: of the call's last byte */
    uint64_t offset;      /* of the return address behind the function's start */
    bool more;            /* the next one is what this was inlined into */
} ws_host_site;

/* An address that is to be looked up. */
typedef struct wanted {
    uint64_t frame, address; /* address: in the file */
    const char *path;        /* as the loader knows it */
    const void *base;
} wanted;

/* The function that the address lies in. */
static bool find_symbol(const ws_elf *elf, uint64_t address, ws_elf_symbol *out)
{
    ws_elf_section table;
    if (!ws_elf_section_of_type(elf, SHT_SYMTAB, &table) && !ws_elf_section_of_type(elf, SHT_DYNSYM, &table))
        return false;
    for (uint64_t i = 0; ws_elf_symbol_at(elf, &table, i, out); i++)
        if (out->type == STT_FUNC && out->defined && address >= out->value && address - out->value < out->bytes)
            return true;
    return false;
}

static void name_function(ws_host_site *s, const char *symbol)
{
    char *const title = ws_demangle_short(symbol);
    snprintf(s->function, sizeof s->function, "%s", title ? title : symbol);
    free(title);
}

/* The program itself may have been started by a path that is gone from here. */
static void real_path(const char *path, char *out, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n > 0)
        out[n] = '\0';
    if (n <= 0 || strcmp(base_of(out), base_of(path)))
        snprintf(out, size, "%s", path);
}

/* NULL: it cannot be read. */
static void *map_file(const char *path, size_t *bytes)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *const data = !fstat(file, &about) && about.st_size > 0
                           ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                           : MAP_FAILED;
    close(file);
    *bytes = (size_t)about.st_size;
    return data == MAP_FAILED ? NULL : data;
}

/* Line information of its own, or a file that has it. */
static bool has_dwarf(const ws_elf *elf)
{
    static const char *const names[] = {".debug_line", ".zdebug_line", ".gnu_debuglink"};
    ws_elf_section s;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ws_elf_section_named(elf, names[i], &s))
            return true;
    return false;
}

static ws_host_site *add_site(ws_host_sites *known)
{
    if (WS_GROW(known->site, known->room, known->sites, 1))
        return NULL;
    known->site[known->sites] = (ws_host_site){.file = ""};
    return &known->site[known->sites++];
}

/* The addresses of one file: their sites so far, and from which on. */
typedef struct lookup {
    ws_host_sites *known;
    const wanted *of;
    const ws_host_site *plain; /* by symbols alone */
    bool any;                  /* of the latest address something is there */
    size_t latest;
} lookup;

static void see_line(void *context, size_t number, const char *function, const char *line)
{
    lookup *const l = context;
    uint32_t *const first = ws_table_put(&l->known->first, l->of[number].frame);
    const bool again = l->any && l->latest == number;
    if (!first || (*first && !again))
        return; /* an answer for what has one */
    ws_host_site *const s = add_site(l->known);
    if (!s)
        return;
    *s = l->plain[number];
    if (*function)
        name_function(s, function);
    snprintf(s->line, sizeof s->line, "%s", line);
    if (again)
        s[-1].more = true;
    else
        *first = (uint32_t)l->known->sites;
    l->latest = number;
    l->any = true;
}

static void look_up_in(ws_host_sites *known, const wanted *of, size_t n, const ws_elf *elf, const char *path)
{
    ws_host_site *const plain = calloc(n, sizeof *plain);
    uint64_t *const address = calloc(n, sizeof *address);
    lookup l = {.known = known, .of = of, .plain = plain};
    for (size_t i = 0; plain && address && i < n; i++) {
        ws_elf_symbol symbol;
        snprintf(plain[i].file, sizeof plain[i].file, "%s", base_of(of[i].path));
        address[i] =
            of[i].address + (elf && elf->kind == ET_EXEC ? (uintptr_t)of[i].base
                                                         : 0); /* such a file's addresses are those of the process */
        plain[i].address = address[i];
        if (elf && find_symbol(elf, address[i], &symbol)) {
            name_function(&plain[i], symbol.name);
            plain[i].offset = address[i] + 1 - symbol.value;
        }
    }
    if (plain && address && elf && has_dwarf(elf))
        known->no_helper |= !ws_host_lines(path, address, n, see_line, &l);
    for (size_t i = 0; plain && address && i < n; i++) {
        uint32_t *const first = ws_table_put(&known->first, of[i].frame);
        ws_host_site *const s = first && !*first ? add_site(known) : NULL;
        if (!s)
            continue;
        *s = plain[i];
        *first = (uint32_t)known->sites;
    }
    free(plain);
    free(address);
}

static void look_up(ws_host_sites *known, const wanted *of, size_t n)
{
    char path[4096];
    size_t bytes = 0;
    ws_elf elf;
    real_path(of->path, path, sizeof path);
    void *const data = map_file(path, &bytes);
    look_up_in(known, of, n, data && ws_elf_view(data, bytes, &elf) ? &elf : NULL, path);
    if (data)
        munmap(data, bytes);
}

static int by_file(const void *a, const void *b)
{
    const wanted *const x = a, *const y = b;
    if (x->base != y->base)
        return (uintptr_t)x->base < (uintptr_t)y->base ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

void ws_host_sites_find(ws_host_sites *known, const ws_host_call *call, size_t calls)
{
    wanted *of = NULL;
    size_t n = 0, room = 0;
    ws_table listed = {0};
    known->first.value_bytes = sizeof(uint32_t);
    for (size_t i = 0; i < calls * WS_HOST_FRAMES; i++) {
        const void *const frame = call[i / WS_HOST_FRAMES].frame[i % WS_HOST_FRAMES];
        size_t slot;
        Dl_info at;
        if (!frame || ws_table_has(&known->first, (uintptr_t)frame) || ws_table_has(&listed, (uintptr_t)frame) ||
            !dladdr(frame, &at) || !at.dli_fname || WS_GROW(of, room, n, 1))
            continue;
        (void)ws_table_add(&listed, (uintptr_t)frame, &slot);
        of[n++] =
            (wanted){(uintptr_t)frame, (uintptr_t)frame - 1 - (uintptr_t)at.dli_fbase, at.dli_fname, at.dli_fbase};
    }
    if (n)
        qsort(of, n, sizeof *of, by_file);
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && of[k].base == of[i].base; k++) {
        }
        look_up(known, of + i, k - i);
    }
    ws_table_fini(&listed);
    free(of);
}

void ws_host_sites_fini(ws_host_sites *known)
{
    ws_table_fini(&known->first);
    free(known->site);
    *known = (ws_host_sites){.site = NULL};
}

/* ------------------------------------------------------------------------------------------------ words */

/* cudaMalloc, or cudaMalloc<float>, or what nvcc makes of a launch: where it was inlined the file tells. */
static bool is_wrapper(const ws_host_site *s, const char *stub)
{
    return begins(s->function, "__cuda") || begins(s->function, "__device_stub") ||
           begins(s->function, "__wrapper__device_stub") || (stub && !strcmp(s->function, stub)) ||
           (begins(s->function, "cuda") && isupper((unsigned char)s->function[4])) || begins(s->line, "cuda_runtime") ||
           begins(s->line, "device_functions.h:") || strstr(s->line, ".cudafe1.stub.c:");
}

/* Of the innermost of functions that were inlined into each other addr2line gives the name of the outermost, as symbol
 * tables do (binutils 2.40). */
static void forget_outer_name(ws_host_site *innermost)
{
    const ws_host_site *outermost = innermost;
    while (outermost->more)
        outermost++;
    if (outermost != innermost && !strcmp(outermost->function, innermost->function))
        *innermost->function = '\0';
}

static int site_words(const ws_host_site *s, char *text, size_t size)
{
    if (*s->line)
        return *s->function ? snprintf(text, size, "%s (%s)", s->function, s->line)
                            : snprintf(text, size, "%s", s->line);
    if (*s->function)
        return snprintf(text, size, "%s+0x%" PRIx64 " (%s+0x%" PRIx64 ")", s->function, s->offset, s->file, s->address);
    return snprintf(text, size, "%s+0x%" PRIx64, s->file, s->address);
}

void ws_host_call_words(ws_host_sites *known, const ws_host_call *call, const char *stub, char *text, size_t size)
{
    size_t n = 0;
    unsigned shown = 0;
    *text = '\0';
    ws_host_sites_find(known, call, 1);
    for (unsigned i = 0; i < WS_HOST_FRAMES; i++) {
        const uint32_t *const first = call->frame[i] ? ws_table_find(&known->first, (uintptr_t)call->frame[i]) : NULL;
        if (!first)
            return;
        forget_outer_name(&known->site[*first - 1]);
        for (const ws_host_site *s = &known->site[*first - 1];; s++) {
            if (shown || !is_wrapper(s, stub)) {
                n += (size_t)snprintf(text + n, size - n, "%s", shown++ ? ", called by " : "");
                n += n < size ? (size_t)site_words(s, text + n, size - n) : 0;
                if (!*s->line)
                    snprintf(known->lineless, sizeof known->lineless, "%s", s->file);
            }
            if (shown == SHOWN || n >= size || !strcmp(s->function, "main"))
                return;
            if (!s->more)
                break;
        }
    }
}
