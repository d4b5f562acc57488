/* test_frame.c - does a frame survive the way to CSV and back, and are defects found and named? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/frame.h"
#include "base/output.h"
#include "base/status.h"

#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int read_bytes(const char *text, size_t size, ws_frame **out)
{
    FILE *in = tmpfile();
    assert_non_null(in);
    assert_int_equal(fwrite(text, 1, size, in), size);
    rewind(in);
    const int rc = ws_frame_read(in, "in.csv", out);
    fclose(in);
    return rc;
}

static ws_frame *read_text(const char *text)
{
    ws_frame *frame = NULL;
    if (read_bytes(text, strlen(text), &frame) != WS_OK)
        fail_msg("%s", ws_message());
    return frame;
}

static char *write_text(const ws_frame *frame)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(ws_frame_write(frame, out), WS_OK);
    fclose(out);
    return text;
}

static void assert_same(const ws_frame *a, const ws_frame *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->labels, b->labels);
    assert_int_equal(a->notes, b->notes);
    for (size_t i = 0; i < a->labels; i++)
        assert_string_equal(a->label_names[i], b->label_names[i]);
    for (size_t i = 0; i < a->rows * a->labels; i++)
        assert_string_equal(a->label[i], b->label[i]);
    for (size_t i = 0; i < a->columns; i++) {
        assert_string_equal(a->column[i].name, b->column[i].name);
        assert_string_equal(a->column[i].unit, b->column[i].unit);
        assert_string_equal(a->column[i].group, b->column[i].group);
    }
    for (size_t i = 0; i < a->notes; i++)
        assert_string_equal(a->note[i], b->note[i]);
    for (size_t i = 0; i < a->rows * a->columns; i++)
        assert_true(memcmp(&a->value[i], &b->value[i], sizeof(double)) == 0 ||
                    (isnan(a->value[i]) && isnan(b->value[i])));
}

static void assert_round_trip(const ws_frame *frame)
{
    char *text = write_text(frame);
    ws_frame *back = read_text(text);
    assert_same(frame, back);
    char *again = write_text(back);
    assert_string_equal(text, again);
    free(text);
    free(again);
    ws_frame_destroy(back);
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void test_create_is_missing_everywhere(void **state)
{
    (void)state;
    ws_frame *frame = ws_frame_create(2, 3, 0, NULL);
    assert_non_null(frame);
    assert_int_equal(frame->labels, 1);
    assert_string_equal(frame->label_names[0], "row");
    assert_string_equal(frame->label[1], "");
    assert_string_equal(frame->column[2].name, "");
    for (size_t i = 0; i < 6; i++)
        assert_true(isnan(frame->value[i]));
    ws_frame_destroy(frame);
    ws_frame_destroy(NULL);
    assert_null(ws_frame_create(SIZE_MAX, 3, 1, NULL));
}

static void test_hard_texts_round_trip(void **state)
{
    (void)state;
    static const char *const hard[] = {"",         "plain", "a,b", "say \"x\"", "\"",     "two\nlines",
                                       "cr\r\nlf", "#hash", "a#b", " lead",     "trail ", "\ttab",
                                       "ünïcode",  "NA",    "1.5", "x y%3D=z",  "'tick'"};
    const size_t n = sizeof hard / sizeof hard[0];
    static const char *const names[] = {"work,load", "", "#3"};
    ws_frame *frame = ws_frame_create(n, n - 1, 3, names);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < 3; l++)
            assert_int_equal(ws_frame_set_label(frame, i, l, hard[(i + l) % n]), WS_OK);
    for (size_t j = 0; j + 1 < n; j++)
        assert_int_equal(ws_frame_set_column(frame, j, hard[j + 1], hard[(j + 5) % n], hard[(j + 9) % n]), WS_OK);
    for (size_t i = 0; i < n * (n - 1); i++)
        frame->value[i] = 1.0 / (double)(i + 1);
    assert_int_equal(ws_frame_note(frame, "seed: %d", 7), WS_OK);
    assert_int_equal(ws_frame_note(frame, "two\nlines: x"), WS_OK);
    assert_int_equal(ws_frame_note(frame, "  indented"), WS_OK);
    assert_string_equal(frame->note[1], "two lines: x");
    assert_round_trip(frame);
    ws_frame_destroy(frame);
}

static void test_notes_cannot_pose_as_format(void **state)
{
    (void)state;
    ws_frame *frame = ws_frame_create(1, 1, 1, NULL);
    assert_int_equal(ws_frame_set_column(frame, 0, "x", "", ""), WS_OK);
    assert_int_equal(ws_frame_note(frame, "labels: 9"), WS_OK);
    assert_int_equal(ws_frame_note(frame, "column nothing"), WS_OK);
    assert_int_equal(ws_frame_note(frame, "warpscape frame 8"), WS_OK);
    char *text = write_text(frame);
    ws_frame *back = read_text(text);
    assert_int_equal(back->labels, 1);
    assert_string_equal(back->note[0], "note: labels: 9");
    assert_string_equal(back->note[2], "note: warpscape frame 8");
    free(text);
    ws_frame_destroy(back);
    ws_frame_destroy(frame);
}

static void test_random_bits_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 42;
    ws_frame *frame = ws_frame_create(200, 50, 1, NULL);
    for (size_t j = 0; j < 50; j++) {
        char name[16];
        snprintf(name, sizeof name, "c%zu", j);
        assert_int_equal(ws_frame_set_column(frame, j, name, j % 2 ? "bytes" : "", j % 3 ? "DV" : ""), WS_OK);
    }
    for (size_t i = 0; i < 200 * 50; i++) {
        const uint64_t bits = next(&seed);
        memcpy(&frame->value[i], &bits, sizeof bits);
    }
    frame->value[0] = -0.0;
    frame->value[1] = INFINITY;
    frame->value[2] = -INFINITY;
    frame->value[3] = NAN;
    assert_round_trip(frame);
    ws_frame_destroy(frame);
}

static void test_shapes_round_trip(void **state)
{
    (void)state;
    for (size_t rows = 0; rows < 3; rows++)
        for (size_t columns = 0; columns < 3; columns++) {
            ws_frame *frame = ws_frame_create(rows, columns, 1, NULL);
            if (columns > 0)
                assert_int_equal(ws_frame_set_column(frame, 0, "a", "", ""), WS_OK);
            if (columns > 1)
                assert_int_equal(ws_frame_set_column(frame, 1, "b", "", ""), WS_OK);
            assert_round_trip(frame);
            ws_frame_destroy(frame);
        }
}

static void test_label_guess(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t labels, columns, rows;
    } good[] = {
        {"w,k,x\nBFS,k1,1\nMM,k2,2\n", 2, 1, 2},
        {"w,x,y\n1,2,3\nMM,4,5\n", 1, 2, 2},      /* any text makes the first column a label */
        {"w,x,y\nA,2,3\nB,NA,5\n", 1, 2, 2},      /* missing counts as a number */
        {"x,y\n1,2\n3,4\n", 1, 2, 2},             /* no text: rows are numbered */
        {"w,x\n", 1, 1, 0},                       /* no rows to look at */
        {"# labels: 2\nw,1,x\nA,7,3\n", 2, 1, 1}, /* said so */
        {"# labels: 0\nw,x\n1,3\n", 1, 2, 1},
        {"# labels: all\nw,x\nA,3\n", 1, 1, 1},         /* a stranger's remark */
        {"\xef\xbb\xbfw,x\r\nA,1\r\n\r\nB,2", 1, 1, 2}, /* byte order mark, CR LF, blank line, no last newline */
        {"w\nA\n\nB\n", 1, 0, 2},
        {"w,x\n\"A\nB\",\" 1 \"\n", 1, 1, 1},
        {"w,x\nA,1\n# in the middle\nB,2\n", 1, 1, 2},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ws_frame *frame = read_text(good[i].text);
        if (frame->labels != good[i].labels || frame->columns != good[i].columns || frame->rows != good[i].rows)
            fail_msg("'%s' has %zu labels, %zu columns, %zu rows", good[i].text, frame->labels, frame->columns,
                     frame->rows);
        assert_round_trip(frame);
        ws_frame_destroy(frame);
    }
    ws_frame *frame = read_text("row,y\n1,2\n3,4\n");
    assert_string_equal(frame->label_names[0], "row_2");
    assert_string_equal(frame->label[1], "2");
    assert_round_trip(frame);
    ws_frame_destroy(frame);
}

static void test_comments(void **state)
{
    (void)state;
    ws_frame *frame =
        read_text("# warpscape frame 1\n# seed: 3\n# column a%20b unit=B%2Fs group=D%3DV\n#\n#bare\n# labels: 1\n"
                  "w,a b,c\nA,1,2\n# tail: yes\n");
    assert_int_equal(frame->notes, 3);
    assert_string_equal(frame->note[0], "seed: 3");
    assert_string_equal(frame->note[1], "bare");
    assert_string_equal(frame->note[2], "tail: yes");
    assert_string_equal(frame->column[0].unit, "B/s");
    assert_string_equal(frame->column[0].group, "D=V");
    assert_string_equal(frame->column[1].unit, "");
    assert_int_equal(ws_frame_find_column(frame, "c"), 1);
    assert_int_equal(ws_frame_find_column(frame, "w"), -1);
    assert_round_trip(frame);
    ws_frame_destroy(frame);
    frame = read_text("# column x is the time\n# column y unit=s\nw,x,y\nA,1,2\n"); /* a stranger's remark, and ours */
    assert_int_equal(frame->notes, 1);
    assert_string_equal(frame->column[1].unit, "s");
    ws_frame_destroy(frame);
}

static void test_defects(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        int code;
    } bad[] = {
        {"", "in.csv:1:1: expected a header*", WS_EINPUT},
        {"\n\n", "in.csv:3:1: expected a header*", WS_EINPUT},
        {"# only: notes\n", "in.csv:2:1: expected a header*", WS_EINPUT},
        {"w,x\nA\n", "in.csv:2:1: expected 2 cells*found 1", WS_EINPUT},
        {"w,x\nA,1\nB,2,3\n", "in.csv:3:5: expected 2 cells*found 3", WS_EINPUT},
        {"w,x\nA,1,\n", "in.csv:2:5: expected 2 cells*found 3", WS_EINPUT},
        {"w,x\nA,1\nB,abc\n", "in.csv:3:3: expected a number in column 'x', found 'abc'*", WS_EINPUT},
        {"w,x\nÄÖ,1\nÜ,0x1\n", "in.csv:3:3: expected a number*'0x1'*", WS_EINPUT},
        {"w,x\nA,1\nB,1e999\n", "in.csv:3:3: expected a number*", WS_EINPUT},
        {"w,x\nA,1\nB,1\xc2\xa0\n", "in.csv:3:3: expected a number*", WS_EINPUT},
        {"w,x\nA,1\nB,this text is rather long and needs to be cut off somewhere\n", "in.csv:3:3:*'this text*...'*",
         WS_EINPUT},
        {"w,x,x\nA,1,2\n", "in.csv:1:5: expected column names that differ, found 'x' again", WS_EINPUT},
        {"w,w\nA,1\n", "in.csv:1:3: expected column names that differ*", WS_EINPUT},
        {"w,,x\nA,1,2\n", "in.csv:1:3: expected a column name*", WS_EINPUT},
        {"w,x\n\"A,1\n", "in.csv:2:1: expected a closing*", WS_EINPUT},
        {"w,x\n\"A\" ,1\n", "in.csv:2:4: expected a comma*", WS_EINPUT},
        {"w,x\nA\"B\",1\n", "in.csv:2:2: expected no '\"'*", WS_EINPUT},
        {"w,x\rA,1\r", "in.csv:1:4: *lone CR", WS_EINPUT},
        {"# labels: 3\nw,x\nA,1\n# warpscape frame 1\n", "in.csv:1:10: expected the number of leading text*",
         WS_EINPUT},
        {"# warpscape frame 1\n# labels: -1\nw,x\nA,1\n", "in.csv:2:10: expected the number*", WS_EINPUT},
        {"# warpscape frame 1\n# labels: 99999999999999999999999999\nw,x\nA,1\n", "in.csv:2:10: expected the number*",
         WS_EINPUT},
        {"# warpscape frame 2\nw,x\nA,1\n", "in.csv:1:19: *newer format*", WS_EVERSION},
        {"# warpscape frame x\nw,x\nA,1\n", "in.csv:1:19: expected the version*", WS_EINPUT},
        {"# warpscape frame 1\n# column y unit=s\nw,x\nA,1\n", "in.csv:2:10: expected the name of a number column*",
         WS_EINPUT},
        {"# warpscape frame 1\n# column w unit=s\nw,x\nA,1\n", "in.csv:2:10: expected the name of a number column*",
         WS_EINPUT},
        {"# warpscape frame 1\n# column x colour=red\nw,x\nA,1\n", "in.csv:2:12: expected unit=*", WS_EINPUT},
        {"# warpscape frame 1\n# column x unit=%zz\nw,x\nA,1\n", "in.csv:2:17: expected a percent-encoded*", WS_EINPUT},
        {"# warpscape frame 1\n# column x unit=%00\nw,x\nA,1\n", "in.csv:2:17: expected a percent-encoded*", WS_EINPUT},
        {"# warpscape frame 1\n# column x unit=%4\nw,x\nA,1\n", "in.csv:2:17: expected a percent-encoded*", WS_EINPUT},
        {"# warpscape frame 1\n# column \nw,x\nA,1\n", "in.csv:2:10: expected a percent-encoded column name*",
         WS_EINPUT},
        {"w;x\nA;1\n", "in.csv:1:2: expected cells separated by commas, found ';'*", WS_EINPUT},
        {"w\tx\nA\t1\n", "in.csv:1:2: expected cells separated by commas*", WS_EINPUT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ws_frame *frame = NULL;
        const int rc = read_bytes(bad[i].text, strlen(bad[i].text), &frame);
        if (rc != bad[i].code || fnmatch(bad[i].message, ws_message(), 0) != 0)
            fail_msg("case %zu '%s': code %d, message '%s'", i, bad[i].text, rc, rc == WS_OK ? "" : ws_message());
        assert_null(frame);
    }
    ws_frame *frame = NULL;
    assert_int_equal(read_bytes("w,x\nA\0,1\n", 9, &frame), WS_EINPUT);
    assert_string_equal(ws_message(), "in.csv:2:2: expected text (CSV), found binary data");
    static const char database[] = "SQLite format 3\0\n1,2";
    assert_int_equal(read_bytes(database, sizeof database, &frame), WS_EINPUT);
    assert_int_equal(
        fnmatch("in.csv: expected text (CSV), found a database, such as a results file: `warpscape metrics'*",
                ws_message(), 0),
        0);
}

static void test_picks(void **state)
{
    (void)state;
    ws_frame *frame = read_text("# column y unit=s group=G\nw,k,x,y\nA,a,1,2\nB,b,3,4\nC,c,5,6\n");
    const size_t rows[] = {2, 0, 2}, columns[] = {1};
    ws_frame *picked = NULL;
    assert_int_equal(ws_frame_pick_rows(frame, rows, 3, &picked), WS_OK);
    assert_int_equal(picked->rows, 3);
    assert_string_equal(picked->label[1], "c");
    assert_string_equal(picked->label[2], "A");
    assert_true(picked->value[0] == 5 && picked->value[3] == 2 && picked->value[5] == 6);
    assert_string_equal(picked->column[1].group, "G");
    char name[8], text[32];
    ws_frame_row_name(picked, 1, name, sizeof name);
    assert_string_equal(name, "A/a");
    ws_frame_row_name(picked, 1, name, 3);
    assert_string_equal(name, "A/");
    ws_frame_destroy(picked);
    ws_frame *const kernels = read_text("# labels: 3\nw,kernel,mangled,x\nA,f(int),_Z1fi,1\n");
    ws_frame_row_name(kernels, 0, text, sizeof text);
    assert_string_equal(text, "A/f(int)"); /* the name in the program tells no more */
    ws_frame_destroy(kernels);
    assert_int_equal(ws_frame_pick_columns(frame, columns, 1, &picked), WS_OK);
    assert_int_equal(picked->columns, 1);
    assert_string_equal(picked->column[0].unit, "s");
    assert_true(picked->value[2] == 6);
    ws_frame_destroy(picked);
    ws_frame_destroy(frame);
}

static void test_limits(void **state)
{
    (void)state;
    ws_frame *frame =
        read_text("w,time,time_low,time_high,a_low,a,b_high,b_low,c_low_low,c_low,c_low_high,_low,_high,low\n"
                  "A,1,2,3,4,5,6,7,8,9,10,11,12,13\n");
    const bool limits[] = {false, true, true, false, false, false, false, true, false, true, false, false, false};
    assert_int_equal(frame->columns, sizeof limits / sizeof limits[0]);
    for (size_t j = 0; j < frame->columns; j++)
        if (ws_frame_is_limit(frame, j) != limits[j]) /* all three of them, or it is a name like others */
            fail_msg("%s", frame->column[j].name);
    ws_frame_destroy(frame);
}

static void test_require_finite(void **state)
{
    (void)state;
    ws_frame *frame = read_text("w,x,y\nA,1,2\nB,3,NA\n");
    assert_int_equal(ws_frame_require_finite(frame, "f.csv"), WS_EINPUT);
    assert_int_equal(
        fnmatch("f.csv: row 2 (B), column 'y': expected a finite number, found a missing value;*", ws_message(), 0), 0);
    frame->value[3] = -INFINITY;
    assert_int_equal(ws_frame_require_finite(frame, "f.csv"), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "an infinity"));
    frame->value[3] = 4;
    assert_int_equal(ws_frame_require_finite(frame, "f.csv"), WS_OK);
    ws_frame_destroy(frame);
}

static void write_whole(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void assert_content(const char *path, const char *text)
{
    char found[256] = "";
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    found[fread(found, 1, sizeof found - 1, in)] = '\0';
    fclose(in);
    assert_string_equal(found, text);
}

static void test_output_is_whole_or_nothing(void **state)
{
    (void)state;
    char folder[] = "/tmp/ws_output_XXXXXX", path[64], link_path[64], other[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    snprintf(other, sizeof other, "%s/none/file", folder);
    write_whole(path, "old");
    assert_int_equal(symlink(path, link_path), 0);
    ws_output out;
    assert_int_equal(ws_output_open(&out, path), WS_OK);
    fputs("half", out.stream);
    assert_int_equal(ws_output_close(&out, WS_ENUMERIC), WS_ENUMERIC);
    assert_content(path, "old");
    assert_int_equal(ws_output_open(&out, link_path), WS_OK);
    fputs("new", out.stream);
    assert_content(path, "old");
    assert_int_equal(ws_output_close(&out, WS_OK), WS_OK);
    assert_content(path, "new");
    struct stat there;
    assert_int_equal(lstat(link_path, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    assert_int_equal(ws_output_check(path), WS_OK);
    assert_int_equal(ws_output_check(link_path), WS_OK);
    assert_int_equal(ws_output_check("-"), WS_OK);
    assert_int_equal(ws_output_check("/dev/full"), WS_OK);
    assert_int_equal(ws_output_check("in_this_folder"), WS_OK);
    assert_int_equal(access("in_this_folder", F_OK), -1);
    assert_int_equal(ws_output_check(other), WS_EIO);
    assert_non_null(strstr(ws_message(), "No such file"));
    assert_int_equal(ws_output_check(folder), WS_EIO);
    assert_non_null(strstr(ws_message(), "directory"));
    assert_int_equal(ws_output_open(&out, other), WS_EIO);
    assert_non_null(strstr(ws_message(), "No such file"));
    assert_int_equal(ws_output_open(&out, folder), WS_EIO);
    assert_non_null(strstr(ws_message(), "directory"));
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing temporary is left behind */
}

/* Opens the file for writing, says so, and ends as if killed; with `lives` it waits for that. */
static pid_t leave(const char *path, bool lives)
{
    int ready[2];
    char byte = 0;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (!child) {
        ws_output out;
        const int status = ws_output_open(&out, path);
        byte = status == WS_OK;
        while (write(ready[1], &byte, 1) == 1 && lives)
            pause();
        _exit(0);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 1);
    close(ready[0]);
    if (!lives)
        waitpid(child, NULL, 0);
    return child;
}

static bool is_left(const char *path, pid_t pid)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%ld-0.tmp", path, (long)pid);
    return access(name, F_OK) == 0;
}

static void test_what_the_killed_left_is_removed(void **state)
{
    (void)state;
    char folder[] = "/tmp/ws_output_XXXXXX", path[64], near[80];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    const pid_t dead = leave(path, false), alive = leave(path, true);
    assert_false(is_left(path, dead)); /* the other one has done it */
    const pid_t second = leave(path, false);
    assert_true(is_left(path, second));
    /* Not its own: another file's, and one whose name only begins so. */
    snprintf(near, sizeof near, "%s.%ld-0.tmp.csv", path, (long)dead);
    write_whole(near, "mine");
    ws_output out;
    assert_int_equal(ws_output_open(&out, path), WS_OK);
    assert_false(is_left(path, second));
    assert_true(is_left(path, alive));
    assert_true(is_left(path, getpid()));
    assert_content(near, "mine");
    assert_int_equal(ws_output_place(&out), WS_OK); /* before its end */
    fputs("more", out.stream);
    assert_content(path, "");
    assert_int_equal(ws_output_close(&out, WS_OK), WS_OK);
    assert_content(path, "more");
    assert_int_equal(kill(alive, SIGKILL), 0);
    waitpid(alive, NULL, 0);
    assert_int_equal(ws_output_open(&out, path), WS_OK);
    assert_false(is_left(path, alive));
    assert_int_equal(ws_output_close(&out, WS_EIO), WS_EIO);
    assert_int_equal(unlink(near), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_full_device_is_reported(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    ws_frame *frame = ws_frame_create(1, 0, 1, NULL);
    assert_int_equal(ws_frame_save(frame, "/dev/full"), WS_EIO);
    assert_non_null(strstr(ws_message(), "No space left"));
    ws_frame_destroy(frame);
}

static void test_save_and_load(void **state)
{
    (void)state;
    char path[] = "/tmp/ws_frame_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    ws_frame *frame = read_text("w,x\nA,0.1\n"), *back = NULL;
    assert_int_equal(ws_frame_save(frame, path), WS_OK);
    assert_int_equal(ws_frame_load(path, &back), WS_OK);
    assert_same(frame, back);
    ws_frame_destroy(frame);
    ws_frame_destroy(back);
    unlink(path);
    assert_int_equal(ws_frame_load(path, &back), WS_EIO);
    assert_non_null(strstr(ws_message(), "No such file"));
    assert_int_equal(ws_frame_load("/tmp", &back), WS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create_is_missing_everywhere),
        cmocka_unit_test(test_hard_texts_round_trip),
        cmocka_unit_test(test_notes_cannot_pose_as_format),
        cmocka_unit_test(test_random_bits_round_trip),
        cmocka_unit_test(test_shapes_round_trip),
        cmocka_unit_test(test_label_guess),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_defects),
        cmocka_unit_test(test_picks),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_require_finite),
        cmocka_unit_test(test_output_is_whole_or_nothing),
        cmocka_unit_test(test_what_the_killed_left_is_removed),
        cmocka_unit_test(test_full_device_is_reported),
        cmocka_unit_test(test_save_and_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
