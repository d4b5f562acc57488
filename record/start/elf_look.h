/* elf_look.h - what kind of program is this file, as far as libraries put in front of it are concerned? */
#ifndef WS_ELF_LOOK_H
#define WS_ELF_LOOK_H

#include <stdbool.h>
#include <stddef.h>

enum { WS_ELF_NAME = 128 };

typedef struct ws_elf_facts {
    bool is_elf;
    bool damaged; /* an ELF file that contradicts itself */
    bool is_64;
    unsigned machine;               /* EM_... */
    bool is_program;                /* an executable, position-independent or not */
    bool dynamic;                   /* it has a dynamic linker, so that libraries can be put in front of it */
    bool has_rpath;                 /* the old kind of run path, which comes before LD_LIBRARY_PATH */
    bool needs_driver;              /* libcuda.so.1 */
    char other_driver[WS_ELF_NAME]; /* "libcuda.so.2" when it needs that; "" */
    char runtime[WS_ELF_NAME];      /* "libcudart.so.12" when it needs that; "" */
    bool has_fatbin;                /* device code registered with a CUDA runtime */
    bool has_symbols;               /* a symbol table, not stripped */
} ws_elf_facts;

/* Looks at the bytes of a file; any bytes will do. */
void ws_elf_look(const void *data, size_t size, ws_elf_facts *facts);

/* "x86-64", "aarch64" ...; "machine N" for others, in text. */
const char *ws_elf_machine_name(unsigned machine, char *text, size_t size);

#endif
