/* elf_look.c - headers, dynamic section and sections of an ELF file, each read within its bounds.
 *
 * Layout: "System V Application Binary Interface, Object Files" (gABI), chapters 4 and 5. Little-endian 64-bit files
 * are looked into; of others the header is enough to say what they are. */
#include "record/start/elf_look.h"

#include "base/elf_file.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct bytes {
    const unsigned char *data;
    size_t size;
} bytes;

/* The n bytes from `at` on; NULL when the file has not that many. */
static const void *part(const bytes *b, uint64_t at, uint64_t n)
{
    return at <= b->size && n <= b->size - at ? b->data + at : NULL;
}

static bool copy(const bytes *b, uint64_t at, void *to, size_t n)
{
    const void *const from = part(b, at, n);
    if (from)
        memcpy(to, from, n);
    return from != NULL;
}

/* The text at `at`, if it ends within the file. */
static const char *text_at(const bytes *b, uint64_t at)
{
    return at < b->size && memchr(b->data + at, '\0', b->size - at) ? (const char *)b->data + at : NULL;
}

/* ------------------------------------------------------------------------------------------------ segments */

static bool segment(const bytes *b, const Elf64_Ehdr *head, unsigned i, Elf64_Phdr *out)
{
    return copy(b, head->e_phoff + (uint64_t)i * sizeof *out, out, sizeof *out);
}

/* Where the byte that is loaded at `address` stands in the file; UINT64_MAX when it does not. */
static uint64_t place_of(const bytes *b, const Elf64_Ehdr *head, uint64_t address)
{
    Elf64_Phdr p;
    for (unsigned i = 0; i < head->e_phnum && segment(b, head, i, &p); i++)
        if (p.p_type == PT_LOAD && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
            return p.p_offset + (address - p.p_vaddr);
    return UINT64_MAX;
}

static void take_needed(const char *name, ws_elf_facts *facts)
{
    static const char runtime[] = "libcudart.so", driver[] = "libcuda.so";
    if (!strcmp(name, "libcuda.so.1"))
        facts->needs_driver = true;
    else if (!strncmp(name, driver, sizeof driver - 1))
        snprintf(facts->other_driver, sizeof facts->other_driver, "%s", name);
    if (!strncmp(name, runtime, sizeof runtime - 1))
        snprintf(facts->runtime, sizeof facts->runtime, "%s", name);
}

static void look_at_dynamic(const bytes *b, const Elf64_Ehdr *head, const Elf64_Phdr *where, ws_elf_facts *facts)
{
    uint64_t strings = UINT64_MAX;
    Elf64_Dyn d;
    for (uint64_t i = 0; i < where->p_filesz / sizeof d && copy(b, where->p_offset + i * sizeof d, &d, sizeof d); i++) {
        if (d.d_tag == DT_NULL)
            break;
        if (d.d_tag == DT_STRTAB)
            strings = place_of(b, head, d.d_un.d_ptr);
        facts->has_rpath = facts->has_rpath || d.d_tag == DT_RPATH;
    }
    for (uint64_t i = 0; strings != UINT64_MAX && i < where->p_filesz / sizeof d; i++) {
        if (!copy(b, where->p_offset + i * sizeof d, &d, sizeof d) || d.d_tag == DT_NULL)
            break;
        const char *const name =
            d.d_tag == DT_NEEDED && d.d_un.d_val <= UINT64_MAX - strings ? text_at(b, strings + d.d_un.d_val) : NULL;
        if (name)
            take_needed(name, facts);
    }
}

static void look_at_segments(const bytes *b, const Elf64_Ehdr *head, ws_elf_facts *facts)
{
    Elf64_Phdr p;
    for (unsigned i = 0; i < head->e_phnum; i++) {
        if (!segment(b, head, i, &p)) {
            facts->damaged = true;
            return;
        }
        facts->dynamic = facts->dynamic || p.p_type == PT_INTERP;
        if (p.p_type == PT_DYNAMIC)
            look_at_dynamic(b, head, &p, facts);
    }
}

/* ------------------------------------------------------------------------------------------------ sections */

/* A program runs without section headers; so what is wrong with them is not its fault. */
static void look_at_sections(const bytes *b, ws_elf_facts *facts)
{
    ws_elf file;
    ws_elf_section section;
    if (!ws_elf_view(b->data, b->size, &file))
        return;
    facts->has_symbols = ws_elf_section_of_type(&file, SHT_SYMTAB, &section);
    facts->has_fatbin = ws_elf_section_named(&file, ".nvFatBinSegment", &section);
}

void ws_elf_look(const void *data, size_t size, ws_elf_facts *facts)
{
    const bytes b = {data, size};
    Elf64_Ehdr head;
    *facts = (ws_elf_facts){0};
    if (size < EI_NIDENT + 4 || memcmp(data, ELFMAG, SELFMAG) != 0)
        return;
    facts->is_elf = true;
    facts->is_64 = b.data[EI_CLASS] == ELFCLASS64;
    const bool little = b.data[EI_DATA] == ELFDATA2LSB;
    const unsigned low = little ? 0 : 1, type = b.data[EI_NIDENT + low]; /* types and machines are below 65536 */
    facts->machine = b.data[EI_NIDENT + 2 + low] | (unsigned)b.data[EI_NIDENT + 3 - low] << 8;
    facts->is_program = type == ET_EXEC || type == ET_DYN;
    if (!facts->is_64 || !little)
        return;
    if (!copy(&b, 0, &head, sizeof head) || head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phoff > size) {
        facts->damaged = true;
        return;
    }
    look_at_segments(&b, &head, facts);
    look_at_sections(&b, facts);
}

const char *ws_elf_machine_name(unsigned machine, char *text, size_t size)
{
    static const struct {
        unsigned machine;
        const char *name;
    } known[] = {{EM_X86_64, "x86-64"}, {EM_AARCH64, "aarch64"}, {EM_386, "i386"},  {EM_ARM, "arm"},
                 {EM_PPC64, "ppc64"},   {EM_RISCV, "riscv"},     {EM_S390, "s390"}, {EM_CUDA, "CUDA (device code)"}};
    snprintf(text, size, "machine %u", machine);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].machine == machine)
            return known[i].name;
    return text;
}
