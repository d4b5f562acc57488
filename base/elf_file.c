/* elf_file.c - sections and symbols of an ELF file. */
#include "base/elf_file.h"

#include "base/bounds.h"

#include <elf.h>
#include <string.h>

/* bytes at offset of the file, NULL when they are not all there. */
static const uint8_t *at(const ws_elf *elf, uint64_t offset, uint64_t bytes)
{
    return ws_range_within(offset, bytes, elf->bytes) ? elf->data + offset : NULL;
}

bool ws_elf_view(const void *data, size_t bytes, ws_elf *out)
{
    Elf64_Ehdr header;
    *out = (ws_elf){.data = data, .bytes = bytes};
    if (bytes < sizeof header)
        return false;
    memcpy(&header, data, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB)
        return false;
    out->machine = header.e_machine;
    out->kind = header.e_type;
    if (!header.e_shoff || header.e_shentsize != sizeof(Elf64_Shdr) || !at(out, header.e_shoff, sizeof(Elf64_Shdr)))
        return true;
    Elf64_Shdr first;
    memcpy(&first, out->data + header.e_shoff, sizeof first);
    out->sections_at = header.e_shoff;
    /* Numbers that are too large for the header stand in the first section. */
    const uint64_t told = header.e_shnum ? header.e_shnum : first.sh_size;
    const uint64_t room = (bytes - header.e_shoff) / sizeof(Elf64_Shdr);
    out->sections = (uint32_t)(told < room ? told : room);
    out->names = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
    return true;
}

static bool header_at(const ws_elf *elf, uint32_t i, Elf64_Shdr *out)
{
    if (i >= elf->sections)
        return false;
    memcpy(out, elf->data + elf->sections_at + i * sizeof *out, sizeof *out);
    return true;
}

/* The text at an offset of a string table, "" unless it ends in it. */
static const char *text_at(const ws_elf *elf, uint32_t table, uint64_t offset)
{
    Elf64_Shdr s;
    if (!header_at(elf, table, &s) || s.sh_type == SHT_NOBITS || offset >= s.sh_size)
        return "";
    const char *const text = (const char *)at(elf, s.sh_offset, s.sh_size);
    return text && memchr(text + offset, '\0', s.sh_size - offset) ? text + offset : "";
}

bool ws_elf_section_at(const ws_elf *elf, uint32_t i, ws_elf_section *out)
{
    Elf64_Shdr s;
    if (!header_at(elf, i, &s))
        return false;
    *out = (ws_elf_section){.name = text_at(elf, elf->names, s.sh_name),
                            .type = s.sh_type,
                            .link = s.sh_link,
                            .address = s.sh_addr,
                            .offset = s.sh_offset,
                            .bytes = s.sh_size,
                            .data = s.sh_type == SHT_NOBITS ? NULL : at(elf, s.sh_offset, s.sh_size)};
    return true;
}

bool ws_elf_section_named(const ws_elf *elf, const char *name, ws_elf_section *out)
{
    for (uint32_t i = 0; ws_elf_section_at(elf, i, out); i++) {
        if (!strcmp(out->name, name))
            return true;
    }
    return false;
}

bool ws_elf_section_of_type(const ws_elf *elf, uint32_t type, ws_elf_section *out)
{
    for (uint32_t i = 0; ws_elf_section_at(elf, i, out); i++) {
        if (out->type == type)
            return true;
    }
    return false;
}

bool ws_elf_symbol_at(const ws_elf *elf, const ws_elf_section *table, uint64_t i, ws_elf_symbol *out)
{
    Elf64_Sym s;
    if (!table->data || i >= table->bytes / sizeof s)
        return false;
    memcpy(&s, table->data + i * sizeof s, sizeof s);
    *out = (ws_elf_symbol){.name = text_at(elf, table->link, s.st_name),
                           .value = s.st_value,
                           .bytes = s.st_size,
                           .type = ELF64_ST_TYPE(s.st_info),
                           .defined = s.st_shndx != SHN_UNDEF};
    return true;
}
