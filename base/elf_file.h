/* elf_file.h - sections and symbols of a 64-bit little-endian ELF file, every access checked against the file's size.
 *
 * Functions neither allocate nor record messages, so they also work early in the start of a process. */
#ifndef WS_ELF_FILE_H
#define WS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_elf {
    const uint8_t *data;
    size_t bytes;
    uint16_t machine, kind;   /* e_machine, e_type */
    uint64_t sections_at;     /* 0: no section headers */
    uint32_t sections, names; /* names: index of the section with section names */
} ws_elf;

typedef struct ws_elf_section {
    const char *name; /* "" if absent or unreadable */
    uint32_t type, link;
    uint64_t address, offset, bytes;
    const uint8_t *data; /* [bytes]; NULL unless the whole section is in the file */
} ws_elf_section;

typedef struct ws_elf_symbol {
    const char *name;
    uint64_t value, bytes;
    uint8_t type; /* STT_... */
    bool defined;
} ws_elf_symbol;

/* Views data[0..bytes) as an ELF file. Returns false for an unsupported file. The memory is borrowed. */
bool ws_elf_view(const void *data, size_t bytes, ws_elf *out);

/* Finds section i of elf->sections. Returns false when its header lies outside the file. */
bool ws_elf_section_at(const ws_elf *elf, uint32_t i, ws_elf_section *out);
bool ws_elf_section_named(const ws_elf *elf, const char *name, ws_elf_section *out);
bool ws_elf_section_of_type(const ws_elf *elf, uint32_t type, ws_elf_section *out); /* the first one of the type */

/* Reads symbol i of a symbol table. Returns false after the last one. A name that cannot be read is "". */
bool ws_elf_symbol_at(const ws_elf *elf, const ws_elf_section *table, uint64_t i, ws_elf_symbol *out);

#endif
