/* host_call.c - see host_call.h. Symbols are those of the file's symbol table, for dladdr knows exported ones alone. */
#include "collect/cuda/host_call.h"

#include "base/demangle.h"
#include "base/elf_file.h"

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

enum { DEEPEST = 64, WORDS = 320, SHOWN = 2 };

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
    return (dladdr((void *)(uintptr_t)is_ours, &self) && self.dli_fbase == at.dli_fbase) || begins(name, "libcuda") || begins(name, "libwarpscape");
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

/* ------------------------------------------------------------------------------------------------ words */

typedef struct site {
    char file[WORDS / 4], function[WORDS / 2];
    uint64_t address; /* in the file: of the call's last byte */
    uint64_t offset;  /* of the return address behind the function's start */
} site;

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

static void see_symbol(const ws_elf *elf, site *s)
{
    ws_elf_symbol symbol;
    if (!find_symbol(elf, s->address, &symbol))
        return;
    char *const title = ws_demangle_short(symbol.name);
    snprintf(s->function, sizeof s->function, "%s", title ? title : symbol.name);
    s->offset = s->address + 1 - symbol.value;
    free(title);
}

/* The program itself may have been started by a path that is gone from here. */
static int open_file(const char *path)
{
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = '\0';
        if (!strcmp(base_of(self), base_of(path)))
            return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    }
    return open(path, O_RDONLY | O_CLOEXEC);
}

static void look(const Dl_info *at, site *s)
{
    struct stat about;
    const int file = open_file(at->dli_fname);
    if (file < 0)
        return;
    void *const data = !fstat(file, &about) && about.st_size > 0 ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (data == MAP_FAILED)
        return;
    ws_elf elf;
    if (ws_elf_view(data, (size_t)about.st_size, &elf)) {
        s->address += elf.kind == ET_EXEC ? (uintptr_t)at->dli_fbase : 0; /* such a file's addresses are those of the process */
        see_symbol(&elf, s);
    }
    munmap(data, (size_t)about.st_size);
}

static bool find_site(const void *frame, site *s)
{
    Dl_info at;
    *s = (site){.file = ""};
    if (!frame || !dladdr(frame, &at) || !at.dli_fname)
        return false;
    s->address = (uintptr_t)frame - 1 - (uintptr_t)at.dli_fbase;
    snprintf(s->file, sizeof s->file, "%s", base_of(at.dli_fname));
    look(&at, s);
    return true;
}

/* cudaMalloc, or cudaMalloc<float>. */
static bool is_wrapper(const site *s)
{
    return begins(s->function, "__cudart") || (begins(s->function, "cuda") && isupper((unsigned char)s->function[4]));
}

void ws_host_call_words(const ws_host_call *call, char *text, size_t size)
{
    size_t n = 0;
    unsigned shown = 0;
    *text = '\0';
    for (unsigned i = 0; i < WS_HOST_FRAMES && shown < SHOWN && n < size; i++) {
        site s;
        if (!find_site(call->frame[i], &s))
            return;
        if (!shown && is_wrapper(&s))
            continue;
        n += (size_t)snprintf(text + n, size - n, "%s", shown++ ? ", called by " : "");
        if (*s.function && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s+0x%" PRIx64 " (%s+0x%" PRIx64 ")", s.function, s.offset, s.file, s.address);
        else if (n < size)
            n += (size_t)snprintf(text + n, size - n, "%s+0x%" PRIx64, s.file, s.address);
        if (!strcmp(s.function, "main"))
            return;
    }
}
