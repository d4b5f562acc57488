/* elf_file.h - sections and symbols of a 64-bit little-endian ELF file, every access checked against the file's size.
 *
 * Nothing here allocates or records a message: it also works in a process that has hardly begun. */
#ifndef WS_ELF_FILE_H
#define WS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_elf {
    const uint8_t *data;
    size_t bytes;
    uint16_t machine, kind;   /* e_machine, e_type */
    uint64_t sections_at;     /* 0: without section headers */
    uint32_t sections, names; /* names: the section of section names */
} ws_elf;

typedef struct ws_elf_section {
    const char *name; /* "" when it has none that is readable */
    uint32_t type, link;
    uint64_t address, offset, bytes;
    const uint8_t *data; /* [bytes]; NULL when nothing of it is in the file, or not all of it */
} ws_elf_section;

typedef struct ws_elf_symbol {
    const char *name;
    uint64_t value, bytes;
    uint8_t type; /* STT_... */
    bool defined;
} ws_elf_symbol;

/* Views data[0..bytes) as an ELF file; false when it is none that is understood. The memory is borrowed. */
bool ws_elf_view(const void *data, size_t bytes, ws_elf *out);

/* Section i of elf->sections; false when its header lies outside the file. */
bool ws_elf_section_at(const ws_elf *elf, uint32_t i, ws_elf_section *out);
bool ws_elf_section_named(const ws_elf *elf, const char *name, ws_elf_section *out);
bool ws_elf_section_of_type(const ws_elf *elf, uint32_t type, ws_elf_section *out); /* the first one */

/* Symbol i of a symbol table; false behind the last one. A name that cannot be read is "". */
bool ws_elf_symbol_at(const ws_elf *elf, const ws_elf_section *table, uint64_t i, ws_elf_symbol *out);

#endif
