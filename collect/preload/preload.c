/* preload.c - a program with NVIDIA's runtime linked into it calls ours: libwarpscape-preload.so, for LD_PRELOAD.
 *
 * nvcc links its runtime statically unless it is told otherwise, so no library can be put in its place. But the
 * functions of the runtime have names in the symbol table of the program. This object runs before everything else in
 * the process, looks at each object that is loaded (the program, its libraries, what is opened later), and has every
 * function of the runtime that it finds there jump to the one of the same name in our libcudart.so, which is opened
 * with the first call.
 *
 * Compilers and linkers that a program calls at run time (NVRTC, nvJitLink, the PTX compiler) make machine code; their
 * functions that hand it out are redirected in the same way, so that the program receives PTX (compilers.def).
 *
 * It is also in the children of a program, most of which have nothing to do with CUDA: it opens no library, allocates
 * little and says nothing when it finds no runtime. It may run before the C library's own constructor (-z initfirst,
 * because constructors of libraries call the runtime), so it leans on system calls. docs/cuda-details.md tells its
 * limits. */
#include "base/elf_file.h"
#include "base/note.h"
#include "base/shown.h"
#include "base/bounds.h"
#include "collect/preload/redirect.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of all functions of all versions of the runtime. */
static const char *const names[] = {
#define FUNCTION(name, first, last) #name,
#define REFUSED(name, first, last)  #name,
#include "collect/cudart/cudart_api.def"
#undef FUNCTION
#undef REFUSED
};
enum { NAMES = sizeof names / sizeof *names };

/* Our libraries: one for each version of the runtime, and libcuda.so.1. Which runtime a program needs shows in the
 * names: those of 11 have texture references, and only those of 12 tell the properties of a device in two ways. */
static const char *const libraries[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", "libcuda.so.1"};
enum { V11, V12, V13, LIBRARIES }; /* the last: libcuda.so.1 */

/* Libraries of machine code; rows of one library have one name. */
static const struct {
    const char *name, *file, *function;
} machine_code[] = {
#define LIBRARY(name, file, function) {name, file, function},
#include "collect/preload/machine_code.def"
#undef LIBRARY
};
enum { MACHINE_CODE = sizeof machine_code / sizeof *machine_code };

/* Functions of compilers: the answering one of our libcuda.so.1, or that of the same library. */
static const struct {
    const char *name, *answer, *sibling;
} compilers[] = {
#define ANSWER(name, function) {#name, #function, NULL},
#define NVRTC(name, other)     {#name, NULL, #other},
#include "collect/preload/compilers.def"
#undef ANSWER
#undef NVRTC
};
enum { COMPILERS = sizeof compilers / sizeof *compilers, MOST_COMPILER_PLACES = 64, MOST_NVRTC = 4 };

/* What is known of one loaded object. */
typedef struct object {
    const char *path; /* as messages name it */
    Elf64_Addr base;
    const Elf64_Phdr *segment;
    unsigned segments;
    ws_elf elf;
    ws_elf_section symbols; /* .symtab, else .dynsym, else without data */
} object;

/* A function of the runtime in an object. */
typedef struct place {
    uintptr_t address;
    uint64_t bytes;
    uint64_t room, before; /* up to the next function, and from the end of the one in front */
    uint32_t name;
} place;

enum { MOST_OBJECTS = 4096, MOST_REDIRECTED = 128, MOST_PLACES = 1024 };

/* A redirected object. */
typedef struct redirected {
    ws_slots slots;
    unsigned version; /* of the runtime; LIBRARIES: a compiler, whose names are in `compilers` */
    uint32_t name[MOST_PLACES];
} redirected;

/* All that this library remembers. It changes in the constructor and under the loader's lock only. */
static struct {
    Elf64_Addr seen[MOST_OBJECTS];
    unsigned seen_count;
    char folder[4096];       /* where our libraries are */
    bool report;             /* WARPSCAPE_PRELOAD_REPORT: say what is redirected */
    const char *notes;       /* WARPSCAPE_NOTES; NULL: nobody wants any */
    bool told[MACHINE_CODE]; /* libraries of machine code that were named */
    bool told_any;
    void *library[sizeof libraries / sizeof *libraries];
    redirected *object[MOST_REDIRECTED];
    unsigned objects;
} preload;

static void say(const char *path, const char *what)
{
    char shown[4 * PATH_MAX];
    ws_shown(shown, sizeof shown, path);
    dprintf(STDERR_FILENO, "warpscape: %s: %s\n", shown, what);
}

/* ------------------------------------------------------------------------------------------------ names */

static uint32_t hash(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h;
}

enum { BUCKETS = 2048 };
_Static_assert(NAMES < BUCKETS / 2, "the table of names has room");
static uint16_t bucket[BUCKETS]; /* index + 1, open addressing */

static void fill_names(void)
{
    for (uint32_t i = 0; i < NAMES; i++) {
        uint32_t h = hash(names[i]);
        while (bucket[h % BUCKETS])
            h++;
        bucket[h % BUCKETS] = (uint16_t)(i + 1);
    }
}

/* Index of a name of the runtime, NAMES for others. */
static uint32_t name_index(const char *name)
{
    if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6))
        return NAMES;
    for (uint32_t h = hash(name); bucket[h % BUCKETS]; h++) {
        const uint32_t i = bucket[h % BUCKETS] - 1u;
        if (!strcmp(names[i], name))
            return i;
    }
    return NAMES;
}

/* ------------------------------------------------------------------------------------------------ binding */

enum { NOT_SUPPORTED = 801 }; /* cudaErrorNotSupported */

/* cudaGetExportTable: libraries of NVIDIA's that are linked statically get at private tables of the runtime by it. */
static int no_private_tables(const void **table)
{
    static bool said;
    if (!said)
        ws_note(preload.notes, WS_NOTE_FAILED);
    if (!said && !preload.told_any)
        say(libraries[V13],
            "a private table of NVIDIA's runtime is asked for, as cuBLAS, cuFFT and the like do when they are linked "
            "statically; there is none, and what that library is called for will fail");
    said = true;
    if (table)
        *table = NULL;
    return NOT_SUPPORTED;
}

static int not_there(void)
{
    return NOT_SUPPORTED;
}

static void *open_library(unsigned version)
{
    char path[sizeof preload.folder + 32];
    snprintf(path, sizeof path, "%s/%s", preload.folder, libraries[version]);
    if (!preload.library[version])
        preload.library[version] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!preload.library[version]) {
        say("the CUDA runtime cannot be opened", dlerror());
        _exit(1); /* a call has no meaning without it */
    }
    return preload.library[version];
}

/* Where a redirected call goes; `number` is what its slot pushed. Called with all arguments of that call saved. */
__attribute__((used, visibility("hidden"))) const void *ws_preload_bind(uint64_t number);
const void *ws_preload_bind(uint64_t number)
{
    redirected *const r = preload.object[number / MOST_PLACES];
    const uint32_t i = number % MOST_PLACES;
    const char *const name = r->version == LIBRARIES ? compilers[r->name[i]].answer : names[r->name[i]];
    const void *function = (const void *)no_private_tables;
    if (strcmp(name, "cudaGetExportTable"))
        function = dlsym(open_library(r->version), name);
    if (!function) {
        say(libraries[r->version], "a function is called that this version of the runtime does not have");
        say(libraries[r->version], name);
        function = (const void *)not_there;
    }
    r->slots.pointer[i] = function;
    return function;
}

#ifdef __x86_64__
/* On the stack: the number, the return address. Registers that hold arguments are kept; then the jump. */
__asm__(".text\n.p2align 4\n.local ws_preload_lazy\n.type ws_preload_lazy, @function\nws_preload_lazy:\n"
        "  endbr64\n"
        "  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n  pushq %rax\n  pushq %r10\n"
        "  subq $128, %rsp\n"
        "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
        "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n"
        "  movq 192(%rsp), %rdi\n"
        "  call ws_preload_bind\n"
        "  movq %rax, %r11\n"
        "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
        "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n"
        "  addq $128, %rsp\n"
        "  popq %r10\n  popq %rax\n  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n"
        "  addq $8, %rsp\n"
        "  jmp *%r11\n"
        ".size ws_preload_lazy, . - ws_preload_lazy\n");
extern const char ws_preload_lazy[] __attribute__((visibility("hidden")));
#endif

#ifdef __x86_64__
/* dlopen of a version of the CUDA runtime or driver that is not there is noted, so that a run in which nothing was
 * launched can say why. Nothing else: programs ask for one version after the other. The loader takes run paths from who
 * called, so this jumps to it with that caller's return address. */
static bool is_ours(const char *name)
{
    return !strncmp(name, "libcudart.so.", 13) || !strncmp(name, "libcuda.so.", 11);
}

__attribute__((used, visibility("hidden"))) const void *ws_preload_opens(const char *name);
const void *ws_preload_opens(const char *name)
{
    char path[sizeof preload.folder + 64], note[96];
    if (name && preload.notes && *preload.folder && strlen(name) < 64 && is_ours(name)) {
        snprintf(path, sizeof path, "%s/%s", preload.folder, name);
        snprintf(note, sizeof note, WS_NOTE_MISSING "%s", name);
        if (access(path, F_OK))
            ws_note(preload.notes, note);
    }
    return dlsym(RTLD_NEXT, "dlopen");
}

__asm__(".text\n.p2align 4\n.globl dlopen\n.type dlopen, @function\ndlopen:\n"
        "  endbr64\n"
        "  pushq %rdi\n  pushq %rsi\n  subq $8, %rsp\n"
        "  call ws_preload_opens\n"
        "  addq $8, %rsp\n  popq %rsi\n  popq %rdi\n"
        "  jmp *%rax\n"
        ".size dlopen, . - dlopen\n");
#endif

/* ------------------------------------------------------------------------------------------------ finding */

/* The segment of an address with these flags; NULL when there is none. */
static const Elf64_Phdr *segment_of(const object *o, uintptr_t address, unsigned flags)
{
    for (unsigned i = 0; i < o->segments; i++) {
        const Elf64_Phdr *const s = &o->segment[i];
        if (s->p_type == PT_LOAD && (s->p_flags & flags) == flags &&
            ws_range_within(address - o->base - s->p_vaddr, 1, s->p_filesz))
            return s;
    }
    return NULL;
}

/* By address; of two names of one function the shorter one first. */
static int by_address(const void *left, const void *right)
{
    const place *const a = left, *const b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (int)strlen(names[a->name]) - (int)strlen(names[b->name]);
}

/* None in a library of ours, whatever the path by which it came. */
static unsigned find_places(const object *o, place *places)
{
    ws_elf_symbol s;
    unsigned n = 0;
    for (uint64_t i = 0; n < MOST_PLACES && ws_elf_symbol_at(&o->elf, &o->symbols, i, &s); i++) {
        if (!strcmp(s.name, "ws_cudart_table"))
            return 0;
        if (s.type != STT_FUNC || !s.defined)
            continue;
        const uint32_t name = name_index(s.name);
        const uintptr_t address = o->base + s.value;
        const Elf64_Phdr *const segment = name < NAMES ? segment_of(o, address, PF_X) : NULL;
        if (!segment)
            continue;
        const uintptr_t begin = o->base + segment->p_vaddr;
        places[n++] = (place){.address = address,
                              .bytes = s.bytes,
                              .room = begin + segment->p_filesz - address,
                              .before = address - begin,
                              .name = name};
    }
    qsort(places, n, sizeof *places, by_address);
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!kept || places[kept - 1].address != places[i].address)
            places[kept++] = places[i];
    }
    return kept;
}

/* The number of places below an address. */
static unsigned places_below(const place *places, unsigned n, uintptr_t address)
{
    unsigned low = 0;
    while (low < n) {
        const unsigned middle = (low + n) / 2;
        if (places[middle].address < address)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* How far each place may grow: up to the functions around it. */
static void find_room(const object *o, place *places, unsigned n)
{
    ws_elf_symbol s;
    for (uint64_t i = 0; ws_elf_symbol_at(&o->elf, &o->symbols, i, &s); i++) {
        if (!s.defined || s.type == STT_SECTION || s.type == STT_FILE || s.type == STT_TLS)
            continue;
        const uintptr_t begin = o->base + s.value, end = begin + s.bytes;
        const unsigned in_front = places_below(places, n, begin), behind = places_below(places, n, end);
        if (in_front && begin - places[in_front - 1].address < places[in_front - 1].room)
            places[in_front - 1].room = begin - places[in_front - 1].address;
        if (behind < n && places[behind].address - end < places[behind].before)
            places[behind].before = places[behind].address - end;
    }
}

static bool has_name(const place *places, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++) {
        if (!strcmp(names[places[i].name], name))
            return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------ redirecting */

#ifdef __x86_64__
/* Whether instructions of the object can be written while this is so. */
static bool set_writable(const object *o, bool writable)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool done = true;
    for (unsigned i = 0; i < o->segments; i++) {
        const Elf64_Phdr *const s = &o->segment[i];
        if (s->p_type != PT_LOAD || !(s->p_flags & PF_X))
            continue;
        const uintptr_t begin = (o->base + s->p_vaddr) / page * page, end = o->base + s->p_vaddr + s->p_memsz;
        const int usual = (s->p_flags & PF_R ? PROT_READ : 0) | (s->p_flags & PF_W ? PROT_WRITE : 0) | PROT_EXEC;
        done &= mprotect((void *)begin, end - begin, writable ? PROT_READ | PROT_WRITE : usual) == 0;
    }
    return done;
}

static void extent(const object *o, uintptr_t *begin, uintptr_t *end)
{
    *begin = UINTPTR_MAX;
    *end = 0;
    for (unsigned i = 0; i < o->segments; i++) {
        const uintptr_t at = o->base + o->segment[i].p_vaddr;
        if (o->segment[i].p_type != PT_LOAD)
            continue;
        *begin = at < *begin ? at : *begin;
        *end = at + o->segment[i].p_memsz > *end ? at + o->segment[i].p_memsz : *end;
    }
}

/* Writes the jumps; functions that are too short are named. */
static void write_jumps(const object *o, const place *places, unsigned n, redirected *r)
{
    unsigned done = 0;
    for (unsigned i = 0; i < n; i++) {
        const place *const p = &places[i];
        uint8_t *const function = (uint8_t *)p->address;
        r->name[i] = p->name;
        if (ws_redirect(function, ws_padded_bytes(function, p->bytes, p->room), p->before, ws_slot(&r->slots, i)))
            done++;
        else {
            char what[256];
            snprintf(what, sizeof what,
                     "%s is too short to be redirected: calls of it reach NVIDIA's runtime, and fail; build with "
                     "-cudart shared",
                     names[p->name]);
            say(o->path, what);
        }
    }
    if (preload.report) {
        char what[256];
        snprintf(what, sizeof what, "%u functions of the CUDA runtime go to %s", done, libraries[r->version]);
        say(o->path, what);
    }
}

static void redirect(const object *o, const place *places, unsigned n)
{
    uintptr_t begin, end;
    extent(o, &begin, &end);
    redirected *const r = preload.objects < MOST_REDIRECTED ? calloc(1, sizeof *r) : NULL;
    if (!r || !ws_slots_make(&r->slots, begin, end, n, preload.objects * MOST_PLACES, ws_preload_lazy)) {
        say(o->path, "its CUDA runtime cannot be replaced: no memory");
        return;
    }
    r->version = has_name(places, n, "cudaGetDeviceProperties_v2") ? V12
                 : has_name(places, n, "cudaBindTexture")          ? V11
                                                                   : V13;
    if (!set_writable(o, true)) {
        say(o->path, "its CUDA runtime cannot be replaced: this system forbids writing to instructions; build with "
                     "-cudart shared");
        set_writable(o, false);
        return;
    }
    write_jumps(o, places, n, r);
    if (!set_writable(o, false) || !ws_slots_finish(&r->slots))
        say(o->path, "instructions that were written cannot be executed");
    preload.object[preload.objects++] = r;
}
#else
static void redirect(const object *o, const place *places, unsigned n)
{
    (void)places, (void)n;
    say(o->path,
        "has a statically linked CUDA runtime, which can be replaced on x86-64 only; build with -cudart shared");
}
#endif

/* ------------------------------------------------------------------------------------------------ compilers */

#ifdef __x86_64__
/* NVRTC's own functions, of each copy that is loaded: PTX instead of machine code. */
static struct {
    int (*size)(void *program, size_t *bytes);
    int (*text)(void *program, char *text);
} nvrtc[MOST_NVRTC];
static unsigned nvrtc_copies;

#define COPY(n) \
    static int nvrtc_size_##n(void *program, size_t *bytes) \
    { \
        return nvrtc[n].size(program, bytes); \
    } \
    static int nvrtc_text_##n(void *program, char *text) \
    { \
        return nvrtc[n].text(program, text); \
    }
COPY(0)
COPY(1)
COPY(2)
COPY(3)
#undef COPY

static int (*const nvrtc_sizes[MOST_NVRTC])(void *, size_t *) = {nvrtc_size_0, nvrtc_size_1, nvrtc_size_2,
                                                                 nvrtc_size_3};
static int (*const nvrtc_texts[MOST_NVRTC])(void *, char *) = {nvrtc_text_0, nvrtc_text_1, nvrtc_text_2, nvrtc_text_3};

/* NAME, or __NAME_MAJOR_MINOR */
static bool is_compiler_name(const char *symbol, const char *name)
{
    const size_t n = strlen(name);
    if (!strcmp(symbol, name))
        return true;
    return !strncmp(symbol, "__", 2) && !strncmp(symbol + 2, name, n) && symbol[2 + n] == '_' && symbol[3 + n] >= '0' &&
           symbol[3 + n] <= '9';
}

/* The row of a name, COMPILERS for others. */
static uint32_t compiler_index(const char *symbol)
{
    const char *const bare = strncmp(symbol, "__", 2) ? symbol : symbol + 2;
    uint32_t i = 0;
    if (strncmp(bare, "nvrtcGetCUBIN", 13) && strncmp(bare, "nvJitLink", 9) && strncmp(bare, "nvPTXCompiler", 13))
        return COMPILERS;
    while (i < COMPILERS && !is_compiler_name(symbol, compilers[i].name))
        i++;
    return i;
}

static unsigned find_compilers(const object *o, place *places)
{
    ws_elf_symbol s;
    unsigned n = 0;
    for (uint64_t i = 0; n < MOST_COMPILER_PLACES && ws_elf_symbol_at(&o->elf, &o->symbols, i, &s); i++) {
        const uint32_t name = s.type == STT_FUNC && s.defined ? compiler_index(s.name) : COMPILERS;
        const uintptr_t address = o->base + s.value;
        const Elf64_Phdr *const segment = name < COMPILERS ? segment_of(o, address, PF_X) : NULL;
        bool known = !segment;
        for (unsigned k = 0; k < n; k++)
            known |= places[k].address == address;
        if (known)
            continue;
        const uintptr_t begin = o->base + segment->p_vaddr;
        places[n] = (place){.address = address,
                            .bytes = s.bytes,
                            .room = begin + segment->p_filesz - address,
                            .before = address - begin,
                            .name = name};
        for (unsigned k = n++; k && places[k - 1].address > places[k].address; k--) { /* by address */
            const place moved = places[k];
            places[k] = places[k - 1];
            places[k - 1] = moved;
        }
    }
    return n;
}

static const void *function_of(const object *o, const char *name)
{
    ws_elf_symbol s;
    for (uint64_t i = 0; ws_elf_symbol_at(&o->elf, &o->symbols, i, &s); i++)
        if (s.type == STT_FUNC && s.defined && !strcmp(s.name, name))
            return (const void *)(o->base + s.value);
    return NULL;
}

/* Where calls of a function of NVRTC go; NULL: unknown, and not redirected. */
static const void *nvrtc_answer(const object *o, uint32_t row)
{
    const void *const other = function_of(o, compilers[row].sibling);
    const bool is_size = strstr(compilers[row].name, "Size");
    if (!other || nvrtc_copies == MOST_NVRTC)
        return NULL;
    if (is_size)
        memcpy(&nvrtc[nvrtc_copies].size, &other, sizeof other);
    else
        memcpy(&nvrtc[nvrtc_copies].text, &other, sizeof other);
    return is_size ? (const void *)nvrtc_sizes[nvrtc_copies] : (const void *)nvrtc_texts[nvrtc_copies];
}

static void write_compiler_jumps(const object *o, const place *places, unsigned n, redirected *r)
{
    char what[256];
    unsigned done = 0;
    bool is_nvrtc = false;
    for (unsigned i = 0; i < n; i++) {
        const place *const p = &places[i];
        uint8_t *const function = (uint8_t *)p->address;
        const bool asks_sibling = compilers[p->name].sibling;
        r->name[i] = p->name;
        if (asks_sibling) {
            is_nvrtc = true;
            r->slots.pointer[i] = nvrtc_answer(o, p->name);
        }
        if (r->slots.pointer[i] &&
            ws_redirect(function, ws_padded_bytes(function, p->bytes, p->room), p->before, ws_slot(&r->slots, i))) {
            done++;
            continue;
        }
        snprintf(what, sizeof what, "%s cannot be redirected: it gives machine code of a GPU, which cannot run here",
                 compilers[p->name].name);
        say(o->path, what);
    }
    nvrtc_copies += is_nvrtc;
    if (preload.report) {
        snprintf(what, sizeof what, "%u functions that give machine code give PTX", done);
        say(o->path, what);
    }
}

static void redirect_compilers(const object *o)
{
    place places[MOST_COMPILER_PLACES];
    uintptr_t begin, end;
    const unsigned n = find_compilers(o, places);
    if (!n)
        return;
    find_room(o, places, n);
    extent(o, &begin, &end);
    redirected *const r = preload.objects < MOST_REDIRECTED ? calloc(1, sizeof *r) : NULL;
    if (!r || !ws_slots_make(&r->slots, begin, end, n, preload.objects * MOST_PLACES, ws_preload_lazy)) {
        say(o->path, "its machine code cannot be replaced by PTX: no memory");
        return;
    }
    r->version = LIBRARIES;
    if (!set_writable(o, true)) {
        say(o->path, "its machine code cannot be replaced by PTX: this system forbids writing to instructions");
        set_writable(o, false);
        return;
    }
    write_compiler_jumps(o, places, n, r);
    if (!set_writable(o, false) || !ws_slots_finish(&r->slots))
        say(o->path, "instructions that were written cannot be executed");
    preload.object[preload.objects++] = r;
}
#else
static void redirect_compilers(const object *o)
{
    (void)o;
}
#endif

/* ------------------------------------------------------------------------------------------------ without symbols */

/* Device code that is registered with a runtime of the object's own: a wrapper, in a section or, where sections are
 * stripped, too, somewhere in its data. docs/cuda-details.md describes the numbers. */
static bool has_device_code(const object *o)
{
    static const uint32_t wrappers[2][2] = {{0x466243b1, 1}, {0x466243b1, 2}};
    ws_elf_section section;
    if (o->elf.sections)
        return ws_elf_section_named(&o->elf, ".nvFatBinSegment", &section) && section.bytes;
    for (unsigned i = 0; i < o->segments; i++) {
        const Elf64_Phdr *const s = &o->segment[i];
        const uint8_t *const data = (const uint8_t *)(o->base + s->p_vaddr);
        if (s->p_type != PT_LOAD || !(s->p_flags & PF_W) || !(s->p_flags & PF_R))
            continue;
        for (uint64_t k = 0; k + 24 <= s->p_filesz; k += 8) {
            if (!memcmp(data + k, wrappers[0], 8) || !memcmp(data + k, wrappers[1], 8))
                return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------ machine code */

/* Once a library, however many files it has. */
static void tell_machine_code(const object *o, unsigned row, const char *and_what)
{
    char what[320];
    for (unsigned i = 0; i < MACHINE_CODE; i++) {
        if (preload.told[i] && !strcmp(machine_code[i].name, machine_code[row].name))
            return;
    }
    preload.told[row] = preload.told_any = true;
    snprintf(what, sizeof what,
             "%s is a library of machine code, without PTX: its kernels cannot run here, and what it is called for "
             "fails; %s",
             machine_code[row].name, and_what);
    say(o->path, what);
    snprintf(what, sizeof what, WS_NOTE_LIBRARY "%s", machine_code[row].name);
    ws_note(preload.notes, what);
}

/* By the name of its file. A wrapper of that name, which computes on the CPU or hands on, is small and has no device
 * code. */
static bool find_by_file(const object *o)
{
    enum { SMALL = 1 << 20 };
    const char *const slash = strrchr(o->path, '/');
    const char *const file = slash ? slash + 1 : o->path;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < o->segments; i++)
        bytes += o->segment[i].p_type == PT_LOAD ? o->segment[i].p_filesz : 0;
    for (unsigned row = 0; row < MACHINE_CODE; row++) {
        if (strncmp(file, machine_code[row].file, strlen(machine_code[row].file)) ||
            (bytes < SMALL && !has_device_code(o)))
            continue;
        tell_machine_code(o, row, "the program's own kernels run");
        return true;
    }
    return false;
}

/* Linked statically: by the functions that it defines, */
static bool find_by_symbols(const object *o)
{
    bool found = false;
    ws_elf_symbol s;
    for (uint64_t i = 0; ws_elf_symbol_at(&o->elf, &o->symbols, i, &s); i++) {
        if (s.type != STT_FUNC || !s.defined || (*s.name != 'c' && *s.name != 'n'))
            continue;
        for (unsigned row = 0; row < MACHINE_CODE; row++) {
            if (strcmp(s.name, machine_code[row].function))
                continue;
            tell_machine_code(o, row, "the program's own kernels run");
            found = true;
        }
    }
    return found;
}

/* or, without symbols, by their names in its own messages: a text of its own among what is only read. Texts stand in
 * front of device code, of which there may be gigabytes. */
static bool find_by_texts(const object *o)
{
    enum { MOST_TEXT = 32 << 20 };
    bool found = false;
    for (unsigned i = 0; i < o->segments * MACHINE_CODE; i++) {
        const Elf64_Phdr *const s = &o->segment[i / MACHINE_CODE];
        const unsigned row = i % MACHINE_CODE;
        const char *const data = (const char *)(o->base + s->p_vaddr), *const name = machine_code[row].function;
        if (s->p_type != PT_LOAD || (s->p_flags & (PF_R | PF_W | PF_X)) != PF_R)
            continue;
        const char *const at = memmem(data, s->p_filesz < MOST_TEXT ? s->p_filesz : MOST_TEXT, name, strlen(name) + 1);
        if (at && (at == data || !at[-1])) {
            tell_machine_code(o, row, "the program's own kernels run when it is not stripped");
            found = true;
        }
    }
    return found;
}

/* Whether the object is, or holds, such libraries; which ones is said. */
static bool look_for_machine_code(const object *o, bool has_symbols)
{
    if (find_by_file(o))
        return true;
    if (!has_device_code(o))
        return false;
    return has_symbols ? find_by_symbols(o) : find_by_texts(o);
}

/* A program that uses a shared runtime of any kind registers its device code there. */
static int is_runtime(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    const char *const slash = strrchr(info->dlpi_name, '/');
    *(bool *)found |= !strncmp(slash ? slash + 1 : info->dlpi_name, "libcudart.so", 12);
    return 0;
}

static void explain_stripped(const object *o)
{
    bool shared = false;
    if (!has_device_code(o))
        return;
    dl_iterate_phdr(is_runtime, &shared);
    if (!shared)
        say(o->path,
            "has device code, but no symbol table (it is stripped), so its statically linked CUDA runtime cannot be "
            "found; build with -cudart shared, or do not strip");
}

/* ------------------------------------------------------------------------------------------------ objects */

static void look_at(object *o)
{
    static place places[MOST_PLACES];
    const bool has_symbols = ws_elf_section_of_type(&o->elf, SHT_SYMTAB, &o->symbols);
    if (!has_symbols && !ws_elf_section_of_type(&o->elf, SHT_DYNSYM, &o->symbols))
        o->symbols = (ws_elf_section){0};
    const bool is_machine_code = look_for_machine_code(o, has_symbols);
    const unsigned n = find_places(o, places);
    if (has_name(places, n, "__cudaRegisterFatBinary") || has_name(places, n, "cudaGetDeviceCount")) {
        find_room(o, places, n);
        redirect(o, places, n);
    } else if (!is_machine_code) {
        explain_stripped(o);
    }
    redirect_compilers(o);
}

static void open_and_look(object *o, const char *file)
{
    struct stat about;
    const int in = open(file, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return;
    void *data = MAP_FAILED;
    if (!fstat(in, &about) && S_ISREG(about.st_mode) && about.st_size > 0)
        data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, in, 0);
    close(in);
    if (data == MAP_FAILED)
        return;
    if (ws_elf_view(data, (size_t)about.st_size, &o->elf))
        look_at(o);
    munmap(data, (size_t)about.st_size);
}

typedef struct walk {
    Elf64_Addr now[MOST_OBJECTS];
    unsigned count;
} walk;

static bool was_seen(Elf64_Addr base)
{
    for (unsigned i = 0; i < preload.seen_count; i++) {
        if (preload.seen[i] == base)
            return true;
    }
    return false;
}

/* The program itself has no name in the loader's list. */
static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    walk *const w = context;
    char self[4096];
    const bool is_program = !*info->dlpi_name;
    if (w->count == MOST_OBJECTS)
        return 0;
    w->now[w->count++] = (Elf64_Addr)info->dlpi_phdr; /* unlike the base, never 0 for two objects */
    if (was_seen((Elf64_Addr)info->dlpi_phdr))
        return 0;
    object o = {
        .path = info->dlpi_name, .base = info->dlpi_addr, .segment = info->dlpi_phdr, .segments = info->dlpi_phnum};
    if (is_program) {
        const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        self[length > 0 ? length : 0] = '\0';
        o.path = length > 0 ? self : "the program";
    }
    open_and_look(&o, is_program ? "/proc/self/exe" : info->dlpi_name);
    return 0;
}

static void look_at_all(void)
{
    static walk w;
    w.count = 0;
    dl_iterate_phdr(visit, &w);
    memcpy(preload.seen, w.now, w.count * sizeof *w.now);
    preload.seen_count = w.count;
}

/* ------------------------------------------------------------------------------------------------ beginning */

#ifdef __x86_64__
/* The loader calls an empty function, for debuggers, when its list of objects has changed and before constructors of
 * new ones run: https://sourceware.org/gdb, solib-svr4.c, "r_brk". Made to jump here, it tells of what dlopen brings.
 */
static void list_changed(void)
{
    if (_r_debug.r_state == RT_CONSISTENT)
        look_at_all();
}

static void follow_loader(void)
{
    static ws_slots slots;
    static const uint8_t ret = 0xc3;
    uint8_t *const function = (uint8_t *)_r_debug.r_brk;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)function / page * page;
    const uintptr_t bytes = ((uintptr_t)function + WS_NEAR_JUMP_BYTES - 1) / page * page + page - begin;
    if (!function || *function != ret)
        return;
    const size_t room = ws_padded_bytes(function, 1, 16);
    if (room < WS_NEAR_JUMP_BYTES || !ws_slots_make(&slots, begin, begin + page, 1, 0, NULL))
        return;
    slots.pointer[0] = (const void *)list_changed;
    /* the loader itself may be needed in between, so its code stays executable */
    if (ws_slots_finish(&slots) && !mprotect((void *)begin, bytes, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        ws_redirect(function, room, 0, ws_slot(&slots, 0));
        mprotect((void *)begin, bytes, PROT_READ | PROT_EXEC);
    }
}
#else
static void follow_loader(void)
{
}
#endif

__attribute__((constructor)) static void begin(int argc, char **argv, char **environment)
{
    (void)argc, (void)argv;
    Dl_info self;
    for (char **e = environment; e && *e; e++) {
        preload.report |= !strncmp(*e, "WARPSCAPE_PRELOAD_REPORT=", 25);
        if (!strncmp(*e, WS_NOTE_VARIABLE "=", sizeof WS_NOTE_VARIABLE))
            preload.notes = *e + sizeof WS_NOTE_VARIABLE;
    }
    const char *const slash = dladdr(&preload, &self) && self.dli_fname ? strrchr(self.dli_fname, '/') : NULL;
    if (slash)
        snprintf(preload.folder, sizeof preload.folder, "%.*s", (int)(slash - self.dli_fname), self.dli_fname);
    fill_names();
    look_at_all();
    follow_loader();
}
