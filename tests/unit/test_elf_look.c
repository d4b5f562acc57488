/* Does a look at an ELF file tell what libraries it needs, and survive files that are cut, or lie? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/board.h"
#include "record/start/elf_look.h"

#include "base/status.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A program with one loaded segment that is the whole file, a dynamic section and three section names. */
typedef struct image {
    Elf64_Ehdr head;
    Elf64_Phdr segment[3];
    Elf64_Dyn dynamic[5];
    char strings[64];
    Elf64_Shdr section[4];
    char names[64];
} image;

enum { BASE = 0x400000 };

static image program(void)
{
    image i = {.head = {.e_type = ET_DYN,
                        .e_machine = EM_X86_64,
                        .e_phoff = offsetof(image, segment),
                        .e_shoff = offsetof(image, section),
                        .e_phentsize = sizeof(Elf64_Phdr),
                        .e_phnum = 3,
                        .e_shentsize = sizeof(Elf64_Shdr),
                        .e_shnum = 4,
                        .e_shstrndx = 3},
               .segment = {{.p_type = PT_LOAD, .p_vaddr = BASE, .p_filesz = sizeof(image)},
                           {.p_type = PT_INTERP},
                           {.p_type = PT_DYNAMIC, .p_offset = offsetof(image, dynamic), .p_filesz = sizeof i.dynamic}},
               .dynamic = {{.d_tag = DT_NEEDED, .d_un.d_val = 1},
                           {.d_tag = DT_STRTAB, .d_un.d_ptr = BASE + offsetof(image, strings)},
                           {.d_tag = DT_NEEDED, .d_un.d_val = 15},
                           {.d_tag = DT_RPATH, .d_un.d_val = 0}},
               .strings = "\0libcuda.so.1\0\0libcudart.so.12",
               .section = {{.sh_type = SHT_NULL},
                           {.sh_type = SHT_PROGBITS, .sh_name = 1},
                           {.sh_type = SHT_SYMTAB, .sh_name = 0},
                           {.sh_type = SHT_STRTAB, .sh_offset = offsetof(image, names), .sh_size = sizeof i.names}},
               .names = "\0.nvFatBinSegment"};
    memcpy(i.head.e_ident, "\177ELF\2\1\1", 7);
    return i;
}

static void a_program_is_told(void **state)
{
    (void)state;
    const image i = program();
    ws_elf_facts f;
    ws_elf_look(&i, sizeof i, &f);
    assert_true(f.is_elf && f.is_64 && f.is_program && f.dynamic && !f.damaged);
    assert_true(f.needs_driver && f.has_rpath && f.has_fatbin && f.has_symbols);
    assert_string_equal(f.runtime, "libcudart.so.12");
    assert_int_equal(f.machine, EM_X86_64);
}

static void every_cut_is_survived(void **state)
{
    (void)state;
    const image i = program();
    for (size_t size = 0; size <= sizeof i; size++) {
        char *const copy = malloc(size + 1); /* of this size, so that a look behind the end is seen */
        ws_elf_facts f;
        memcpy(copy, &i, size);
        char *const exact = realloc(copy, size ? size : 1);
        ws_elf_look(exact, size, &f);
        assert_int_equal(f.is_elf, size >= EI_NIDENT + 4);
        assert_int_equal(f.damaged, f.is_elf && size < offsetof(image, dynamic));
        free(exact);
    }
}

static void every_wrong_byte_is_survived(void **state)
{
    (void)state;
    image i = program();
    unsigned char *const byte = (unsigned char *)&i;
    for (size_t at = 0; at < sizeof i; at++)
        for (int bit = 0; bit < 8; bit++) {
            ws_elf_facts f;
            byte[at] ^= (unsigned char)(1u << bit);
            ws_elf_look(&i, sizeof i, &f);
            byte[at] ^= (unsigned char)(1u << bit);
            assert_true(strlen(f.runtime) < sizeof f.runtime);
        }
}

static void other_machines_are_named(void **state)
{
    (void)state;
    image i = program();
    char text[32];
    ws_elf_facts f;
    i.head.e_machine = EM_AARCH64;
    ws_elf_look(&i, sizeof i, &f);
    assert_string_equal(ws_elf_machine_name(f.machine, text, sizeof text), "aarch64");
    assert_string_equal(ws_elf_machine_name(9999, text, sizeof text), "machine 9999");
    i.head.e_ident[EI_CLASS] = ELFCLASS32;
    ws_elf_look(&i, sizeof i, &f);
    assert_true(f.is_elf && !f.is_64 && !f.damaged);
    i.head.e_ident[EI_DATA] = ELFDATA2MSB;
    i.head.e_machine = 0x1500; /* 21, PowerPC, with its bytes the other way round */
    ws_elf_look(&i, sizeof i, &f);
    assert_int_equal(f.machine, EM_PPC64);
    ws_elf_look("#!/bin/sh\nexit 0\n exit", 20, &f);
    assert_false(f.is_elf);
}

static void a_board_is_shared_through_its_path(void **state)
{
    (void)state;
    ws_board *made, *joined;
    ws_board_process *me;
    char path[64];
    int fd;
    assert_int_equal(ws_board_create(&made, &fd), WS_OK);
    ws_board_path(fd, path, sizeof path);
    assert_int_equal(ws_board_join(path, &joined, &me), WS_OK);
    assert_non_null(me);
    atomic_fetch_add(&joined->launches, 3);
    me->copied.h2d = 17;
    ws_board_note_kernel(joined, "a");
    ws_board_note_kernel(joined, "b");
    ws_board_note_kernel(joined, "a");
    ws_board_leave(joined);
    assert_int_equal(atomic_load(&made->launches), 3);
    assert_int_equal(atomic_load(&made->processes), 1);
    assert_int_equal(made->process[0].copied.h2d, 17);
    assert_int_equal(atomic_load(&made->process[0].pid), getpid());
    assert_int_equal(ws_board_kernels(made), 2);
    ws_board_destroy(made, fd);
    assert_int_equal(ws_board_join(path, &joined, &me), WS_EIO);
    assert_int_equal(ws_board_join("/proc/self/exe", &joined, &me), WS_EIO); /* cannot be written */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_told),
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(every_wrong_byte_is_survived),
        cmocka_unit_test(other_machines_are_named),
        cmocka_unit_test(a_board_is_shared_through_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
