/* test_fatbin.c - does the reader find the PTX in fat binaries of all kinds, and say what is wrong with the others? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/fatbin/fatbin.h"
#include "collect/ptx/module.h"
#include "tests/unit/fatbin_writer.h"

#include <stdio.h>
#include <sys/mman.h>

#define PTX(name) ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry " name "() { ret; }\n"
#define IMAGE(k, arch, text, p) \
    { \
        .kind = (k), .architecture = (arch), .data = (text), .length = sizeof(text) - 1, .packing = (p) \
    }

static const char elf[] = "\177ELF and so on";

static ws_fatbin *open_it(const ws_bytes *b)
{
    ws_fatbin *f = NULL;
    if (ws_fatbin_open("t", b->data, b->length, &f))
        fail_msg("%s", ws_message());
    return f;
}

/* The one kernel of what is loaded. */
static void loads(const ws_fatbin *f, uint32_t most, const char *kernel)
{
    ws_module *m = NULL;
    if (ws_fatbin_load(f, most, &m))
        fail_msg("%s", ws_message());
    assert_int_equal(m->functions, 1);
    assert_string_equal(m->function[0]->name, kernel);
    ws_module_destroy(m);
}

static void test_packings(void **state)
{
    (void)state;
    for (const char *packing = "slz"; *packing; packing++) {
        for (int short_header = 0; short_header < 2; short_header++) {
            fat_image image = IMAGE(1, 75, PTX("k"), *packing);
            image.short_header = short_header;
            image.options = "  --compile-only  ";
            ws_bytes b = fat_container(&image, 1);
            ws_fatbin *const f = open_it(&b);
            char *text;
            size_t length;
            assert_int_equal(f->images, 1);
            assert_int_equal(f->parts, 1);
            assert_int_equal(f->image[0].offset, 16);
            assert_int_equal(f->image[0].version_major, 9);
            assert_string_equal(ws_fatbin_kind_name(f->image[0].kind), "PTX");
            assert_string_equal(f->image[0].options, short_header ? "" : "--compile-only");
            assert_int_equal(ws_fatbin_unpack(f, &f->image[0], &text, &length), WS_OK);
            assert_true(length >= image.length && length < image.length + 8);
            assert_memory_equal(text, image.data, image.length);
            assert_int_equal(text[length], 0);
            free(text);
            loads(f, 0, "k");
            ws_fatbin_close(f);
            ws_bytes_fini(&b);
        }
    }
}

static void test_choice(void **state)
{
    (void)state;
    const fat_image images[] = {IMAGE(2, 90, elf, 's'), IMAGE(1, 75, PTX("k75"), 'z'), IMAGE(1, 86, PTX("k86"), 'l'),
                                IMAGE(1, 80, PTX("k80"), 's'), IMAGE(99, 100, "strange", 's')};
    ws_bytes b = fat_container(images, 5);
    ws_fatbin *const f = open_it(&b);
    ws_module *m;
    assert_int_equal(f->images, 5);
    loads(f, 0, "k86");
    loads(f, 90, "k86");
    loads(f, 86, "k86");
    loads(f, 85, "k80");
    loads(f, 75, "k75");
    assert_int_equal(ws_fatbin_load(f, 70, &m), WS_EUNSUPPORTED);
    assert_string_equal(ws_message(),
                        "t: expected PTX for an architecture up to 70, found compute_75, compute_86, compute_80; "
                        "allow a higher one");
    ws_fatbin_close(f);
    ws_bytes_fini(&b);
}

/* PTX for machines or of versions that nobody knows is left where there is other PTX, and named where there is none. */
static void test_unknown(void **state)
{
    (void)state;
    fat_image images[] = {IMAGE(1, 130, PTX("k130"), 's'), IMAGE(1, 80, PTX("k80"), 's'),
                          IMAGE(1, 90, PTX("k90"), 's')};
    images[2].isa = 99;
    ws_bytes b = fat_container(images, 3);
    ws_fatbin *f = open_it(&b);
    ws_module *m;
    loads(f, 0, "k80");
    ws_fatbin_close(f);
    ws_bytes_fini(&b);
    images[1].architecture = 76;
    b = fat_container(images, 3);
    f = open_it(&b);
    assert_int_equal(ws_fatbin_load(f, 0, &m), WS_EUNSUPPORTED);
    assert_string_equal(
        ws_message(),
        "t: expected PTX of version 9.x or older for a target up to sm_121, found compute_130, compute_76, compute_90 "
        "of "
        "version 99.0; build it for a target that is known, such as nvcc -gencode arch=compute_75,code=compute_75");
    ws_fatbin_close(f);
    ws_bytes_fini(&b);
}

static void test_no_ptx(void **state)
{
    (void)state;
    static const struct {
        fat_image image[2];
        size_t n;
        const char *message;
    } cases[] = {
        {{{0}},
         0,
         "t: expected PTX, found no image; build it with PTX, such as nvcc -gencode arch=compute_75,code=compute_75"},
        {{IMAGE(2, 75, elf, 's'), IMAGE(2, 86, elf, 'z')},
         2,
         "t: expected PTX, found only machine code (cubin) for sm_75, sm_86; build it with PTX, such as nvcc -gencode "
         "arch=compute_75,code=compute_75"},
        {{IMAGE(2, 75, elf, 's'), IMAGE(8, 80, elf, 'z')},
         2,
         "t: expected PTX, found only machine code (cubin) for sm_75 and code for link-time optimisation of "
         "compute_80; build "
         "it with PTX, such as nvcc -gencode arch=compute_75,code=compute_75"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_bytes b = fat_container(cases[i].image, cases[i].n);
        ws_fatbin *const f = open_it(&b);
        ws_module *m;
        assert_int_equal(ws_fatbin_load(f, 0, &m), WS_EUNSUPPORTED);
        assert_string_equal(ws_message(), cases[i].message);
        ws_fatbin_close(f);
        ws_bytes_fini(&b);
    }
}

/* A program's memory: sizes unknown, pointers to be followed. */
static void test_wrappers(void **state)
{
    (void)state;
    const fat_image first = IMAGE(1, 75, PTX("k"), 'z');
    ws_bytes b = fat_container(&first, 1), empty = fat_container(NULL, 0);
    const fat_wrapper one = fat_wrap(&b, NULL);
    const void *const none[] = {NULL};
    const fat_wrapper unlinked = fat_wrap(&b, none);
    ws_fatbin *f;
    assert_true(ws_fatbin_begins(&one));
    assert_true(ws_fatbin_begins(b.data));
    assert_false(ws_fatbin_begins(PTX("k")));
    assert_false(ws_fatbin_begins(""));
    assert_false(ws_fatbin_begins("\x50\xed"));
    assert_int_equal(ws_fatbin_open("w", &one, 0, &f), WS_OK);
    assert_false(f->linked);
    loads(f, 0, "k");
    ws_fatbin_close(f);
    assert_int_equal(ws_fatbin_open("w", &unlinked, sizeof unlinked, &f), WS_OK);
    loads(f, 0, "k");
    ws_fatbin_close(f);
    assert_int_equal(ws_fatbin_open("c", b.data, 0, &f), WS_OK);
    loads(f, 0, "k");
    ws_fatbin_close(f);
    const void *const two[] = {b.data, b.data, NULL};
    const fat_wrapper linked = fat_wrap(&empty, two);
    assert_int_equal(ws_fatbin_open("w", &linked, 0, &f), WS_OK);
    assert_true(f->linked);
    assert_int_equal(f->parts, 2);
    assert_int_equal(f->image[1].part, 1);
    ws_module *m;
    assert_int_equal(ws_fatbin_load(f, 0, &m), WS_EINPUT); /* the same kernel twice */
    assert_string_equal(ws_message(), "w[1]:4:17: expected `k` as at w[0]:4:17, found a second body");
    ws_fatbin_close(f);
    ws_bytes_fini(&b);
    ws_bytes_fini(&empty);
}

static void test_linked(void **state)
{
    (void)state;
    static const char calls[] =
        ".version 7.0\n.target sm_75\n.extern .func f();\n.visible .entry k() { call f; ret; }\n";
    static const char body[] = ".version 7.0\n.target sm_75\n.visible .func f() { ret; }\n";
    static const char library[] = ".version 7.0\n.target sm_121\n.visible .func cudaGetParameterBufferV2() { ret; }\n"
                                  ".visible .func f() { ret; }\n";
    const fat_image image[] = {IMAGE(1, 75, calls, 'z'), IMAGE(1, 75, body, 'l'), IMAGE(1, 121, library, 'z'),
                               IMAGE(2, 75, elf, 's')};
    ws_bytes container[4];
    for (unsigned i = 0; i < 4; i++)
        container[i] = fat_container(&image[i], 1);
    const void *list[] = {container[0].data, container[1].data, container[2].data, NULL};
    const fat_wrapper w = fat_wrap(&container[3], list);
    ws_fatbin *f;
    ws_module *m;
    assert_int_equal(ws_fatbin_open("w", &w, 0, &f), WS_OK);
    assert_int_equal(f->parts, 3);
    assert_int_equal(ws_fatbin_load(f, 80, &m), WS_OK);
    assert_int_equal(m->functions, 2); /* the device runtime is left out, whatever its architecture */
    assert_string_equal(ws_module_function(m, "f")->file, "w[1]");
    ws_module_destroy(m);
    assert_int_equal(ws_fatbin_load(f, 70, &m), WS_EUNSUPPORTED);
    assert_string_equal(ws_message(),
                        "w: linked container 0: expected PTX for an architecture up to 70, found compute_75; allow "
                        "a higher one");
    ws_fatbin_close(f);
    list[1] = container[3].data;
    assert_int_equal(ws_fatbin_open("w", &w, 0, &f), WS_OK);
    assert_int_equal(ws_fatbin_load(f, 0, &m), WS_EUNSUPPORTED);
    assert_non_null(
        strstr(ws_message(), "w: linked container 1: expected PTX, found only machine code (cubin) for sm_75; "));
    ws_fatbin_close(f);
    for (unsigned i = 0; i < 4; i++)
        ws_bytes_fini(&container[i]);
}

static void wrapper_fails(const fat_wrapper *w, const char *message)
{
    ws_fatbin *f;
    assert_true(ws_fatbin_open("w", w, 0, &f) < 0);
    assert_string_equal(ws_message(), message);
    assert_null(f);
}

static void test_lying_pointers(void **state)
{
    (void)state;
    const fat_image first = IMAGE(1, 75, PTX("k"), 'z');
    ws_bytes b = fat_container(&first, 1);
    /* Two pages, the second of which cannot be read: the container stands at the end of the first. */
    uint8_t *const pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    assert_int_equal(mprotect(pages + 4096, 4096, PROT_NONE), 0);
    uint8_t *const at = pages + 4096 - b.length;
    memcpy(at, b.data, b.length);
    fat_wrapper w = {0x466243b1, 1, at, NULL};
    ws_fatbin *f;
    assert_int_equal(ws_fatbin_open("w", &w, 0, &f), WS_OK);
    loads(f, 0, "k");
    ws_fatbin_close(f);
    at[8]++; /* one byte more than there is */
    char message[200];
    snprintf(message, sizeof message, "w: offset 8: the container says it has %u bytes of images, but ends earlier",
             (unsigned)b.length - 15);
    wrapper_fails(&w, message);
    memset(at + 8, 0xff, 8);
    wrapper_fails(&w, "w: offset 8: the container says it has 18446744073709551615 bytes of images, but ends earlier");
    w.container = NULL;
    wrapper_fails(&w, "w: offset 0: expected a container header of 16 bytes, found less");
    w.container = pages + 4096 - 8;
    wrapper_fails(&w, "w: offset 0: expected a container header of 16 bytes, found less");
    w.version = 3;
    wrapper_fails(&w, "w: offset 4: expected wrapper version 1 or 2, found 3");
    const void *const *list = (const void *const *)(const void *)(pages + 4096 - 8);
    memcpy(pages + 4096 - 8, &(const void *){b.data}, 8);
    w = (fat_wrapper){0x466243b1, 2, b.data, list};
    wrapper_fails(&w, "w: the list of linked containers leads out of memory");
    b.data[0] = 0;
    wrapper_fails(&w,
                  "linked container 0: w: offset 0: expected the number 0xba55ed50 of a container, found 0xba55ed00");
    munmap(pages, 8192);
    ws_bytes_fini(&b);
}

/* One defect each: where, how many bytes, and what stands there instead. The image is at 16, its payload at 96. */
static const struct {
    char packing;
    unsigned at, bytes;
    uint64_t value;
    const char *message; /* of opening, or else of loading */
} wrong[] = {
    {'z', 0, 4, 0x12345678, "t: offset 0: expected the number 0xba55ed50 of a container, found 0x12345678"},
    {'z', 4, 2, 2, "t: offset 4: expected container version 1, found 2"},
    {'z', 6, 2, 8, "t: offset 6: expected a container header of at least 16 bytes, found 8"},
    {'z', 6, 2, 0xffff, "t: offset 8: the container says it has 168 bytes of images, but ends earlier"},
    {'z', 8, 8, 1000, "t: offset 8: the container says it has 1000 bytes of images, but ends earlier"},
    {'z', 8, 8, UINT64_MAX,
     "t: offset 8: the container says it has 18446744073709551615 bytes of images, but ends earlier"},
    {'z', 8, 8, 63,
     "t: offset 16: expected the header of an image (64 bytes), found 63 bytes to the end of the container"},
    {'z', 20, 4, 63, "t: offset 16: expected an image header of 64 to 168 bytes, found 63"},
    {'z', 20, 4, 169, "t: offset 16: expected an image header of 64 to 168 bytes, found 169"},
    {'z', 24, 8, 89,
     "t: offset 16: expected an image of at most 88 bytes, which is the rest of the container, found 89"},
    {'z', 24, 8, UINT64_MAX - 7,
     "t: offset 16: expected an image of at most 88 bytes, which is the rest of the container, found "
     "18446744073709551608"},
    {'z', 32, 4, 89, "t: offset 16: expected at most 88 packed bytes, which is the payload, found 89"},
    {'z', 56, 8, 0x1000,
     "t: offset 16: image is packed in an old way (flags 0x1000); build it again with a newer nvcc, or with "
     "-no-compress"},
    {'z', 72, 8, 81, "t: offset 16: expected zstd data of 81 bytes unpacked, found a frame of another size"},
    {'z', 72, 8, UINT64_MAX,
     "t: offset 16: expected an image of at most 536870912 bytes unpacked, found 18446744073709551615"},
    {'z', 96, 4, 0, "t: offset 16: expected zstd data of 73 bytes unpacked, found no zstd frame"},
    {'z', 104, 1, 0xff, "t: offset 16: expected zstd data of 73 bytes unpacked, found damaged data"},
    {'l', 72, 8, 100000,
     "t: offset 16: expected LZ4 data of 100000 bytes unpacked, found too few packed bytes for that"},
    {'l', 72, 8, 83, "t: offset 16: expected LZ4 data of 83 bytes unpacked, found fewer bytes"},
    {'l', 72, 8, 72, "t: offset 16: expected LZ4 data of 72 bytes unpacked, found damaged data"},
    {'s', 96, 1, '!', "t:1:1: expected .version, found `!`"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const fat_image image = IMAGE(1, 75, PTX("k"), wrong[i].packing);
        ws_bytes b = fat_container(&image, 1);
        fat_poke(&b, wrong[i].at, wrong[i].value, wrong[i].bytes);
        ws_fatbin *f;
        ws_module *m = NULL;
        int status = ws_fatbin_open("t", b.data, b.length, &f);
        if (status == WS_OK)
            status = ws_fatbin_load(f, 0, &m);
        assert_true(status < 0);
        assert_null(m);
        if (strcmp(ws_message(), wrong[i].message))
            fail_msg("case %zu:\n%s\n%s", i, ws_message(), wrong[i].message);
        ws_fatbin_close(f);
        ws_bytes_fini(&b);
    }
}

/* A text of 32 MiB that zstd makes ten thousand times as small: as code it would take gigabytes. */
static void test_growth(void **state)
{
    (void)state;
    enum { BYTES = 1 << 25 };
    static const char line[] = "ret;\n";
    char *const text = malloc(BYTES);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, BYTES, "%s", ".version 7.5\n.target sm_75\n.address_size 64\n.entry k() {\n");
    for (; n + 8 < BYTES; n += sizeof line - 1)
        memcpy(text + n, line, sizeof line - 1);
    memset(text + n, ' ', BYTES - n);
    text[BYTES - 1] = '}';
    for (unsigned i = 0; i < 2; i++) {
        const fat_image image = {
            .kind = 1, .architecture = 75, .data = text, .length = BYTES, .packing = i ? 'l' : 'z'};
        ws_bytes b = fat_container(&image, 1);
        ws_fatbin *f;
        ws_module *m = NULL;
        assert_int_equal(ws_fatbin_open("t", b.data, b.length, &f), WS_OK);
        assert_int_equal(ws_fatbin_load(f, 0, &m), WS_ELIMIT);
        assert_non_null(
            strstr(ws_message(), "bytes unpack to 33554432, more than 100 times as many; build it with -no-compress"));
        ws_fatbin_close(f);
        ws_bytes_fini(&b);
    }
    free(text);
}

/* Texts of a header that lead out of it are left out. */
static void test_texts(void **state)
{
    (void)state;
    static const struct {
        unsigned at;
        uint32_t value;
        const char *options;
    } cases[] = {{36, 64, "-g"}, {36, 60, ""},         {36, 77, ""}, {36, UINT32_MAX, ""}, {80, 63, ""},
                 {80, 1000, ""}, {80, UINT32_MAX, ""}, {84, 9, ""},  {84, UINT32_MAX, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fat_image image = IMAGE(1, 75, PTX("k"), 's');
        image.options = "-g";
        ws_bytes b = fat_container(&image, 1);
        fat_poke(&b, cases[i].at, cases[i].value, 4);
        ws_fatbin *const f = open_it(&b);
        assert_string_equal(f->image[0].options, cases[i].options);
        loads(f, 0, "k");
        ws_fatbin_close(f);
        ws_bytes_fini(&b);
    }
}

/* Every beginning of a good one is refused, or has no images; nothing is read behind it (the sanitizers watch). */
static void test_truncated(void **state)
{
    (void)state;
    const fat_image images[] = {IMAGE(1, 75, PTX("a"), 'l'), IMAGE(2, 75, elf, 's')};
    ws_bytes b = fat_container(images, 2);
    for (size_t n = 1; n < b.length; n++) {
        uint8_t *const cut = malloc(n);
        assert_non_null(cut);
        memcpy(cut, b.data, n);
        ws_fatbin *f;
        assert_int_equal(ws_fatbin_open("t", cut, n, &f), WS_EINPUT);
        free(cut);
    }
    ws_bytes_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packings),       cmocka_unit_test(test_choice),    cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_no_ptx),         cmocka_unit_test(test_wrappers),  cmocka_unit_test(test_linked),
        cmocka_unit_test(test_lying_pointers), cmocka_unit_test(test_wrong),     cmocka_unit_test(test_growth),
        cmocka_unit_test(test_texts),          cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
