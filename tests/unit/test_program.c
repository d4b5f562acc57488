/* test_program.c - is the device code found in programs, object files and what else people give, and named where there
 * is none? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/elf_file.h"
#include "base/status.h"
#include "collect/fatbin/program.h"
#include "collect/ptx/module.h"
#include "tests/unit/fatbin_writer.h"

#include <elf.h>
#include <unistd.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char first[] = HEAD ".visible .entry first() { ret; }\n";
static const char second[] = HEAD ".visible .entry second() { ret; }\n";
static const char calls[] = HEAD ".extern .func f();\n.visible .entry third() { call f; ret; }\n";
static const char body[] = HEAD ".visible .func f() { ret; }\n";
static const char elf_text[] = "\177ELF";

static ws_bytes container(unsigned kind, unsigned architecture, const char *text, size_t length)
{
    const fat_image image = {
        .kind = kind, .architecture = architecture, .data = text, .length = length, .packing = 'z'};
    ws_bytes b = fat_container(&image, 1);
    fat_pad(&b, 8);
    return b;
}

static void append(ws_bytes *to, ws_bytes what)
{
    ws_bytes_add(to, what.data, what.length);
    ws_bytes_fini(&what);
}

/* An ELF file of up to two sections with these names; headers at its end. */
static ws_bytes elf_file(unsigned machine, const char *name1, const ws_bytes *content1, const char *name2,
                         const ws_bytes *content2)
{
    ws_bytes b = {0};
    Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
                    .e_type = ET_EXEC,
                    .e_version = 1,
                    .e_machine = (Elf64_Half)machine,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = 4,
                    .e_shstrndx = 3};
    Elf64_Shdr s[4] = {{0}};
    char names[64] = "";
    const size_t length1 = strlen(name1), length2 = strlen(name2);
    memcpy(names + 1, name1, length1 + 1);
    memcpy(names + length1 + 2, name2, length2 + 1);
    ws_bytes_add(&b, &h, sizeof h);
    s[1] = (Elf64_Shdr){
        .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = b.length, .sh_size = content1 ? content1->length : 0};
    if (content1)
        ws_bytes_add(&b, content1->data, content1->length);
    s[2] = (Elf64_Shdr){.sh_name = (Elf64_Word)(length1 + 2),
                        .sh_type = SHT_PROGBITS,
                        .sh_offset = b.length,
                        .sh_size = content2 ? content2->length : 0};
    if (content2)
        ws_bytes_add(&b, content2->data, content2->length);
    s[3] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = b.length, .sh_size = length1 + length2 + 3};
    ws_bytes_add(&b, names, length1 + length2 + 3);
    h.e_shoff = b.length;
    ws_bytes_add(&b, s, sizeof s);
    memcpy(b.data, &h, sizeof h);
    return b;
}

static bool is_named(const ws_module *m, void *name)
{
    return ws_module_function(m, name) != NULL;
}

/* The file under which the kernel is found. */
static void finds(const ws_program *p, const char *kernel, const char *file)
{
    ws_module *m;
    if (ws_program_load(p, 0, is_named, (void *)(uintptr_t)kernel, &m))
        fail_msg("%s", ws_message());
    assert_string_equal(ws_module_function(m, kernel)->file, file);
    ws_module_destroy(m);
}

static ws_program *view(const ws_bytes *b)
{
    ws_program *p = NULL;
    if (ws_program_view("app", b->data, b->length, &p))
        fail_msg("%s", ws_message());
    return p;
}

/* As nvcc -rdc=true leaves it, beside a file that was compiled whole. */
static void test_sections(void **state)
{
    (void)state;
    ws_bytes whole = container(WS_FATBIN_CUBIN, 75, elf_text, 4), parts = {0};
    append(&whole, container(WS_FATBIN_PTX, 75, first, sizeof first - 1));
    append(&whole, container(WS_FATBIN_PTX, 75, second, sizeof second - 1));
    append(&parts, container(WS_FATBIN_PTX, 75, calls, sizeof calls - 1));
    append(&parts, container(WS_FATBIN_PTX, 75, body, sizeof body - 1));
    ws_bytes b = elf_file(EM_X86_64, ".nv_fatbin", &whole, "__nv_relfatbin", &parts);
    ws_program *p = view(&b);
    ws_module *m;
    assert_int_equal(p->fatbins, 4);
    assert_true(p->fatbin[3]->linked);
    finds(p, "first", "app#1");
    finds(p, "second", "app#2");
    finds(p, "third", "app#3[0]");
    assert_int_equal(ws_program_load(p, 0, is_named, (char[]){"fourth"}, &m), WS_ENOTFOUND);
    assert_string_equal(ws_message(), "app: none of its 3 fat binaries with PTX has all kernels that are launched");
    ws_program_close(p);
    /* without section headers the containers are found where they stand */
    memset(b.data + offsetof(Elf64_Ehdr, e_shoff), 0, 8);
    p = view(&b);
    assert_int_equal(p->fatbins, 5);
    finds(p, "second", "app#2");
    ws_program_close(p);
    ws_bytes_fini(&b);
    b = elf_file(EM_X86_64, "__nv_relfatbin", &parts, ".text", NULL);
    p = view(&b);
    assert_int_equal(p->fatbins, 1);
    finds(p, "third", "app[0]");
    finds(p, "f", "app[1]");
    ws_program_close(p);
    ws_bytes_fini(&b);
    ws_bytes_fini(&whole);
    ws_bytes_fini(&parts);
}

static void view_fails(const ws_bytes *b, int code, const char *message)
{
    ws_program *p;
    assert_int_equal(ws_program_view("app", b->data, b->length, &p), code);
    assert_null(p);
    assert_string_equal(ws_message(), message);
}

#define EXPECTED "app: expected PTX, a fat binary, or a program or object file with device code of nvcc, found "

/* A file that only begins as a container has none in it. */
static void test_other_version(void **state)
{
    (void)state;
    ws_program *p;
    ws_bytes b = container(WS_FATBIN_PTX, 75, body, strlen(body));
    b.data[5] = 0x20;
    assert_int_equal(ws_program_view("app", b.data, b.length, &p), WS_EVERSION);
    assert_null(p);
    assert_non_null(strstr(ws_message(), "app: offset 4: expected container version 1"));
    ws_bytes_fini(&b);
}

static void test_nothing(void **state)
{
    (void)state;
    ws_bytes code = container(WS_FATBIN_PTX, 75, first, sizeof first - 1), archive = {0};
    ws_bytes b = elf_file(EM_X86_64, ".data", &code, ".text", NULL);
    view_fails(&b, WS_EINPUT, EXPECTED "an ELF file without any");
    ws_bytes_fini(&b);
    b = elf_file(190, ".nv_fatbin", &code, ".text", NULL);
    view_fails(&b, WS_EUNSUPPORTED,
               EXPECTED "machine code of a GPU (cubin); build with -gencode arch=compute_75,code=compute_75");
    ws_bytes_fini(&b);
    ws_bytes_add(&archive, "!<arch>\nx", 9);
    view_fails(&archive, WS_EINPUT, EXPECTED "an archive of object files; take one out of it (ar x)");
    ws_bytes_fini(&archive);
    ws_bytes_fini(&code);
}

static void test_text_and_files(void **state)
{
    (void)state;
    const ws_bytes text = {.data = (uint8_t *)(uintptr_t)first, .length = sizeof first - 1};
    ws_program *p = view(&text);
    assert_true(p->is_text);
    finds(p, "first", "app");
    ws_program_close(p);
    char path[] = "/tmp/warpscape-program-XXXXXX";
    const int out = mkstemp(path);
    assert_true(out >= 0);
    ws_bytes b = container(WS_FATBIN_PTX, 75, second, sizeof second - 1);
    assert_int_equal(write(out, b.data, b.length), b.length);
    close(out);
    assert_int_equal(ws_program_open(path, &p), WS_OK);
    finds(p, "second", path);
    ws_program_close(p);
    unlink(path);
    assert_int_equal(ws_program_open(path, &p), WS_ENOTFOUND);
    ws_bytes_fini(&b);
}

/* Each beginning, and each byte changed: an answer, and nothing read outside (the sanitizers watch). */
static void test_damaged(void **state)
{
    (void)state;
    ws_bytes code = container(WS_FATBIN_PTX, 75, first, sizeof first - 1);
    ws_bytes b = elf_file(EM_X86_64, ".nv_fatbin", &code, "__nv_relfatbin", &code);
    for (size_t i = 0; i < 2 * b.length; i++) {
        const size_t n = i < b.length ? i + 1 : b.length;
        uint8_t *const copy = malloc(n);
        assert_non_null(copy);
        memcpy(copy, b.data, n);
        if (i >= b.length)
            copy[i - b.length] ^= 0xff;
        ws_program *p;
        ws_module *m;
        if (ws_program_view("app", copy, n, &p) == WS_OK) {
            if (!p->is_text && ws_program_load(p, 0, NULL, NULL, &m) == WS_OK)
                ws_module_destroy(m);
            ws_program_close(p);
        }
        free(copy);
    }
    ws_bytes_fini(&b);
    ws_bytes_fini(&code);
}

static void test_symbols(void **state)
{
    (void)state;
    static const char names[] = "\0alpha\0beta";
    const Elf64_Sym symbol[] = {
        {0},
        {.st_name = 1, .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC), .st_shndx = 1, .st_value = 16, .st_size = 5},
        {.st_name = 7, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT)},
        {.st_name = 1000}};
    ws_bytes table = {0}, text = {0};
    ws_bytes_add(&table, symbol, sizeof symbol);
    ws_bytes_add(&text, names, sizeof names);
    ws_bytes b = elf_file(EM_X86_64, ".symtab", &table, ".strtab", &text);
    ws_elf elf;
    ws_elf_section s;
    ws_elf_symbol found;
    assert_true(ws_elf_view(b.data, b.length, &elf));
    assert_true(ws_elf_section_named(&elf, ".symtab", &s));
    s.link = 2;
    assert_true(ws_elf_symbol_at(&elf, &s, 1, &found));
    assert_string_equal(found.name, "alpha");
    assert_true(found.defined && found.type == STT_FUNC && found.value == 16 && found.bytes == 5);
    assert_true(ws_elf_symbol_at(&elf, &s, 2, &found));
    assert_string_equal(found.name, "beta");
    assert_false(found.defined);
    assert_true(ws_elf_symbol_at(&elf, &s, 3, &found));
    assert_string_equal(found.name, "");
    assert_false(ws_elf_symbol_at(&elf, &s, 4, &found));
    assert_false(ws_elf_section_named(&elf, ".bss", &s));
    ws_bytes_fini(&b);
    ws_bytes_fini(&table);
    ws_bytes_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections), cmocka_unit_test(test_nothing), cmocka_unit_test(test_text_and_files),
        cmocka_unit_test(test_damaged),  cmocka_unit_test(test_symbols), cmocka_unit_test(test_other_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
