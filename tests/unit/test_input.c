/* test_input.c - what may be read: files whole and within their bound, pipes where they are allowed, and never a device
 * without end. */
#include "base/input.h"
#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const ws_input of_files = {.what = "a thing", .most_bytes = 1 << 20, .source = WS_INPUT_FILES, .is_found = true};
static const ws_input of_pipes = {.what = "a thing", .most_bytes = 1 << 20, .source = WS_INPUT_PIPES};
static const ws_input of_fifos = {.what = "a thing", .most_bytes = 1 << 20, .source = WS_INPUT_FIFOS};
static const ws_input *const inputs[] = {&of_files, &of_pipes, &of_fifos};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static char folder[] = "/tmp/test_input_XXXXXX", file[64], fifo[64];

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    return mkfifo(fifo, 0600);
}

static int end(void **state)
{
    (void)state;
    unlink(file);
    unlink(fifo);
    return rmdir(folder);
}

static void make_file(size_t bytes)
{
    FILE *const out = fopen(file, "wb");
    assert_non_null(out);
    for (size_t k = 0; k < bytes; k++)
        fputc((int)(k % 251), out);
    assert_int_equal(fclose(out), 0);
}

static void refused(const char *path, const ws_input *input, int status, const char *message)
{
    char *text = (char *)1, expected[300];
    size_t length;
    int fd;
    assert_int_equal(ws_input_read(path, input, &text, &length), status);
    assert_null(text);
    snprintf(expected, sizeof expected, message, path);
    assert_string_equal(ws_message(), expected);
    if (status == WS_EIO) {
        assert_int_equal(ws_input_open(path, input, &fd), status);
        assert_int_equal(fd, -1);
    }
}

static void files_are_read_whole(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        make_file(sizes[i]);
        for (size_t j = 0; j < INPUTS; j++) {
            char *text;
            size_t length;
            assert_int_equal(ws_input_read(file, inputs[j], &text, &length), WS_OK);
            assert_int_equal(length, sizes[i]);
            assert_int_equal(text[length], 0);
            for (size_t k = 0; k < length; k++)
                assert_int_equal((unsigned char)text[k], k % 251);
            free(text);
        }
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    make_file((1 << 20) + 1);
    for (size_t j = 0; j < INPUTS; j++)
        refused(file, inputs[j], WS_ELIMIT, "%s: longer than 1 MiB; is it a thing?");
    assert_int_equal(truncate(file, (off_t)1 << 40), 0); /* and nothing of it is read */
    refused(file, &of_files, WS_ELIMIT, "%s: longer than 1 MiB; is it a thing?");
    int ends[2];
    char *text, name[32], part[4096];
    size_t length;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (!child) { /* as `yes` does */
        close(ends[0]);
        memset(part, 'y', sizeof part);
        while (write(ends[1], part, sizeof part) > 0)
            ;
        _exit(0);
    }
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    refused(name, &of_pipes, WS_ELIMIT, "%s: longer than 1 MiB; is it a thing?");
    FILE *const stream = fdopen(ends[0], "rb");
    assert_int_equal(ws_input_read_stream(stream, "stdin", &of_pipes, &text, &length), WS_ELIMIT);
    assert_string_equal(ws_message(), "stdin: longer than 1 MiB; is it a thing?");
    fclose(stream);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Frames may be long; not longer than memory. */
static void memory_is_a_bound(void **state)
{
    (void)state;
    static const ws_input large = {.what = "a thing", .most_bytes = (size_t)1 << 40, .source = WS_INPUT_FILES};
    char *text;
    size_t length;
    make_file(0);
    assert_int_equal(truncate(file, (off_t)1 << 39), 0);
    setenv("WARPSCAPE_MAX_MEMORY", "48M", 1);
    assert_int_equal(ws_input_read(file, &large, &text, &length), WS_ELIMIT);
    unsetenv("WARPSCAPE_MAX_MEMORY");
    assert_null(text);
    assert_non_null(strstr(ws_message(), "MiB that there is memory for"));
}

static void devices_are_refused(void **state)
{
    (void)state;
    static const char *const devices[] = {"/dev/zero", "/dev/full", "/dev/urandom"};
    static const char *const sources[] = {"a file", "a file, /dev/stdin or a pipe of the shell, <(...)",
                                          "a file or a pipe"};
    char message[200], *text;
    size_t length;
    for (size_t j = 0; j < INPUTS; j++) {
        snprintf(message, sizeof message, "cannot read %%s: it is a device; a thing is read from %s", sources[j]);
        for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
            refused(devices[i], inputs[j], WS_EIO, message);
        refused(folder, inputs[j], WS_EIO, "cannot read %s: it is a folder");
        assert_int_equal(ws_input_read("/dev/null", inputs[j], &text, &length), WS_OK);
        assert_int_equal(length, 0);
        free(text);
    }
    refused("/nowhere", &of_files, WS_ENOTFOUND, "cannot read %s: No such file or directory");
    refused("/nowhere", &of_pipes, WS_EIO, "cannot read %s: No such file or directory");
    FILE *const zeros = fopen("/dev/zero", "rb");
    assert_int_equal(ws_input_read_stream(zeros, "stdin", &of_fifos, &text, &length), WS_EIO);
    assert_string_equal(ws_message(), "cannot read stdin: it is a device; a thing is read from a file or a pipe");
    assert_null(text);
    fclose(zeros);
    FILE *const memory = fmemopen((char[]){"abc"}, 3, "rb");
    assert_int_equal(ws_input_read_stream(memory, "m", &of_files, &text, &length), WS_OK);
    assert_string_equal(text, "abc");
    free(text);
    fclose(memory);
}

/* One without a writer is not waited for, but where named pipes are allowed: those have one here. */
static void pipes_where_they_are_allowed(void **state)
{
    (void)state;
    char *text, name[32];
    size_t length;
    int ends[2];
    refused(fifo, &of_files, WS_EIO, "cannot read %s: it is a pipe; a thing is read from a file");
    refused(
        fifo, &of_pipes, WS_EIO,
        "cannot read %s: it is a named pipe; a thing is read from a file, /dev/stdin or a pipe of the shell, <(...)");
    const pid_t child = fork();
    if (!child) {
        FILE *const out = fopen(fifo, "wb");
        fputs("through a name", out);
        fclose(out);
        _exit(0);
    }
    assert_int_equal(ws_input_read(fifo, &of_fifos, &text, &length), WS_OK);
    assert_string_equal(text, "through a name");
    free(text);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (size_t j = 1; j < INPUTS; j++) {
        assert_int_equal(pipe(ends), 0);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        assert_int_equal(write(ends[1], "without", 7), 7);
        close(ends[1]);
        refused(name, &of_files, WS_EIO, "cannot read %s: it is a pipe; a thing is read from a file");
        assert_int_equal(ws_input_read(name, inputs[j], &text, &length), WS_OK);
        assert_string_equal(text, "without");
        free(text);
        close(ends[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(memory_is_a_bound),
        cmocka_unit_test(devices_are_refused),
        cmocka_unit_test(pipes_where_they_are_allowed),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
