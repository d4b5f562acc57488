/* slurm_batch.c - arrays of tasks of a sweep, as files that a person can read. */
#include "record/sweep/slurm_batch.h"

#include "base/input.h"
#include "base/output.h"
#include "base/status.h"
#include "record/plan/sweep_plan.h"
#include "record/sweep/last_line.h"
#include "record/sweep/point_run.h"
#include "record/sweep/slurm_command.h"
#include "record/sweep/slurm_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WORDS = 24, WORD = PATH_MAX + 64, LIST_MOST = 16 << 20 };

/* FOLDER/slurm/BATCH/NAME */
static void path_of(const ws_slurm_job *job, uint32_t number, const char *name, char path[PATH_MAX + 64])
{
    snprintf(path, PATH_MAX + 64, "%s/%04u%s%s", job->folder, number, *name ? "/" : "", name);
}

int ws_slurm_batch_number(const ws_slurm_job *job, uint32_t *number)
{
    char path[PATH_MAX + 64];
    for (; *number <= WS_SLURM_BATCHES_MOST; ++*number) {
        path_of(job, *number, "", path);
        if (!mkdir(path, ws_output_is_private() ? 0700 : 0777))
            return WS_OK;
        if (errno != EEXIST)
            return ws_fail(WS_EIO, "cannot make the folder %s: %s", path, strerror(errno));
    }
    return ws_fail(WS_ELIMIT, "%s: more than %d arrays; remove those that are over", job->folder,
                   WS_SLURM_BATCHES_MOST);
}

static int write_file(const ws_slurm_job *job, uint32_t number, const char *name, ws_output *out)
{
    char path[PATH_MAX + 64];
    path_of(job, number, name, path);
    return ws_output_open(out, path);
}

/* Not by base/output.h, which looks for what others left: nobody reads these before they are submitted. */
static int write_points(const ws_slurm_job *job, const ws_slurm_batch *batch, const ws_plan_point *points)
{
    char path[PATH_MAX + 64], name[32];
    for (size_t task = 0, i = 0; task < batch->tasks; task++) {
        snprintf(name, sizeof name, "%zu.points", task);
        path_of(job, batch->number, name, path);
        const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ws_output_is_private() ? 0600 : 0666);
        FILE *const out = fd < 0 ? NULL : fdopen(fd, "w");
        if (!out)
            return ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno));
        for (; i < batch->end[task]; i++)
            fprintf(out, "%s\n", points[batch->point[i]].key);
        if (ferror(out) | fclose(out))
            return ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno));
    }
    return WS_OK;
}

int ws_slurm_batch_write(const ws_slurm_job *job, const ws_slurm_batch *batch, const ws_plan_point *points)
{
    ws_output out;
    int status = write_points(job, batch, points);
    if (!status)
        status = write_file(job, batch->number, "job.sh", &out);
    if (status)
        return status;
    fputs("#!/bin/sh\n# A task of an array: runs those points of its list that are not done.\n", out.stream);
    if (job->program)
        fputs(job->program, out.stream);
    else
        ws_point_print_word(out.stream, job->self);
    fputs(" sweep ", out.stream);
    ws_point_print_word(out.stream, job->plan);
    fputs(" --output ", out.stream);
    ws_point_print_word(out.stream, job->sweep);
    fputs(" \\\n    --jobs \"${SLURM_CPUS_ON_NODE:-1}\" --task \"$SLURM_ARRAY_TASK_ID.points\"\nstatus=$?\n"
          "# The node cannot run them: it lacks the program, or has another version, or other inputs.\n"
          "case $status in 2 | 126 | 127) echo \"$SLURMD_NODENAME\" >\"$SLURM_ARRAY_TASK_ID.refused\" ;; esac\n"
          "exit $status\n",
          out.stream);
    return ws_output_close(&out, WS_OK);
}

/* The words of a command. */
typedef struct words {
    const char *list[WORDS];
    char text[WORDS][WORD];
    size_t count;
} words;

__attribute__((format(printf, 2, 3))) static void add(words *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(w->text[w->count], WORD, format, list);
    va_end(list);
    w->list[w->count] = w->text[w->count];
    w->count++;
}

static void make_words(const ws_slurm_job *job, const ws_slurm_batch *batch, words *w)
{
    const ws_slurm_needs *const needs = &batch->needs;
    add(w, "sbatch");
    add(w, "--parsable");
    add(w, "--job-name=%s", job->name);
    add(w, "--comment=%u", batch->number);
    if (batch->at_a_time)
        add(w, "--array=0-%zu%%%u", batch->tasks - 1, batch->at_a_time);
    else
        add(w, "--array=0-%zu", batch->tasks - 1);
    add(w, "--nodes=1");
    add(w, "--ntasks=1");
    add(w, "--cpus-per-task=%u", needs->cores);
    if (needs->megabytes)
        add(w, "--mem-per-cpu=%lluM", (unsigned long long)needs->megabytes);
    if (needs->minutes)
        add(w, "--time=%llu", (unsigned long long)needs->minutes);
    if (*batch->exclude)
        add(w, "--exclude=%s", batch->exclude);
    add(w, "--requeue");
    add(w, "--open-mode=append");
    add(w, "--output=%%a.log");
    add(w, "--chdir=%s/%04u", job->folder, batch->number);
    add(w, "%s/%04u/job.sh", job->folder, batch->number);
}

int ws_slurm_batch_submit(const ws_slurm_job *job, ws_slurm_batch *batch, char *refusal, size_t size)
{
    ws_output out;
    ws_slurm_said said = {0};
    words *const w = calloc(1, sizeof *w);
    int status = w ? write_file(job, batch->number, "submit", &out) : ws_fail(WS_EMEM, "out of memory");
    if (!status) {
        make_words(job, batch, w);
        for (size_t i = 0; i < w->count; i++) {
            ws_point_print_word(out.stream, w->list[i]);
            putc(i + 1 < w->count ? ' ' : '\n', out.stream);
        }
        status = ws_output_close(&out, WS_OK);
    }
    if (!status)
        status = ws_slurm_command(w->list, &said);
    if (!status && said.exit) {
        snprintf(refusal, size, "%s", *said.error ? said.error : "sbatch failed and said nothing");
        status = WS_EBUSY;
    }
    if (!status)
        status = ws_slurm_read_job(said.output ? said.output : "", said.length, &batch->job);
    if (!status)
        status = write_file(job, batch->number, "job", &out);
    if (!status) {
        fprintf(out.stream, "job = %llu\nname = %s\ntasks = %zu\npoints = %zu\n", (unsigned long long)batch->job,
                job->name, batch->tasks, batch->end[batch->tasks - 1]);
        status = ws_output_close(&out, WS_OK);
    }
    free(said.output);
    free(w);
    return status;
}

void ws_slurm_batch_remove(const ws_slurm_job *job, uint32_t number)
{
    char path[PATH_MAX + 64];
    path_of(job, number, "", path);
    ws_point_remove_folder(path);
}

int ws_slurm_batch_read(const ws_slurm_job *job, uint32_t number, uint32_t task,
                        void (*take)(void *context, const char *key), void *context)
{
    static const ws_input input = {
        .what = "a list of points", .most_bytes = LIST_MOST, .source = WS_INPUT_FILES, .is_found = true};
    char path[PATH_MAX + 64], name[32], *text;
    size_t length;
    snprintf(name, sizeof name, "%u.points", task);
    path_of(job, number, name, path);
    const int status = ws_input_read(path, &input, &text, &length);
    for (char *rest = text, *key; !status && (key = strsep(&rest, "\n"));)
        if (*key)
            take(context, key);
    free(text);
    return status;
}

bool ws_slurm_batch_refused(const ws_slurm_job *job, uint32_t number, uint32_t task, char *node, size_t size)
{
    static const ws_input input = {
        .what = "the name of a node", .most_bytes = WS_SLURM_WORD, .source = WS_INPUT_FILES, .is_found = true};
    char path[PATH_MAX + 64], name[32], *text;
    size_t length;
    snprintf(name, sizeof name, "%u.refused", task);
    path_of(job, number, name, path);
    if (ws_input_read(path, &input, &text, &length))
        return false;
    text[strcspn(text, "\n")] = '\0';
    snprintf(node, size, "%s", text);
    free(text);
    return *node;
}

void ws_slurm_batch_last_line(const ws_slurm_job *job, uint32_t number, uint32_t task, char *line, size_t size)
{
    char path[PATH_MAX + 64], name[32];
    snprintf(name, sizeof name, "%u.log", task);
    path_of(job, number, name, path);
    ws_last_line_of_file(path, line, size);
}
