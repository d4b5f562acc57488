/* test_slurm.c - points as tasks of a cluster that goes wrong: with scripts in the place of Slurm's commands, which
 * write what tasks leave behind. tests/runners/run_cluster.sh has a real one. */
#include "base/status.h"
#include "record/sweep/executor.h"
#include "record/sweep/point_run.h"
#include "record/sweep/slurm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64]; /* bin/, calls, p.ini, s/ */

static void write_file(const char *name, mode_t mode, const char *head, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s%s", head, text);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

/* What all scripts have: `calls` keeps their words; `finish N TASK SECONDS` does the points of a task. */
static const char head[] = "#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\necho \"${0##*/} $*\" >>calls\n"
                           "count() { grep -c \"^$1\" calls; }\n"
                           "finish() {\n"
                           "    for key in $(cat s/slurm/$1/$2.points); do\n"
                           "        mkdir -p s/points/$key\n"
                           "        printf '%s = %s\\n' state done exit 0 signal 0 seconds 1 cpu_seconds 1 \\\n"
                           "            peak_bytes 1e6 disk_bytes 1 when now >s/points/$key/status\n"
                           "    done\n"
                           "}\n";

static void script(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "bin/%s", name);
    write_file(path, 0700, head, text);
}

static int begin(void **state)
{
    char path[256];
    (void)state;
    strcpy(folder, "/tmp/slurmXXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/bin", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
    script("scontrol", "");
    script("sacct", "exit 1");
    script("squeue", "");
    ws_slurm_patience = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    ws_point_remove_folder(folder);
    return access(folder, F_OK) ? 0 : -1;
}

typedef struct setup {
    ws_plan *plan;
    ws_sweep *sweep;
} setup;

static setup open_sweep(const char *text)
{
    char path[256];
    setup s;
    write_file("p.ini", 0600, "", text);
    snprintf(path, sizeof path, "%s/p.ini", folder);
    if (ws_plan_read(path, &s.plan) || ws_plan_lay_out(s.plan))
        fail_msg("%s", ws_message());
    snprintf(path, sizeof path, "%s/s", folder);
    if (ws_sweep_open(s.plan, path, WS_SWEEP_READ, &s.sweep) || ws_sweep_make(s.sweep))
        fail_msg("%s", ws_message());
    return s;
}

/* Runs all points, of which `done` are done then. */
static void run(setup *s, bool retry, size_t done)
{
    bool all[64];
    ws_sweep_tally tally;
    memset(all, true, sizeof all);
    const ws_sweep_request request = {.wanted = all, .retry = retry, .executor = ws_executor_find("slurm")};
    if (ws_sweep_run(s->sweep, &request, &tally))
        fail_msg("%s", ws_message());
    assert_int_equal(tally.done, done);
    ws_sweep_close(s->sweep);
    ws_plan_destroy(s->plan);
}

/* How many lines of a file have this text. */
static int lines(const char *name, const char *text)
{
    char path[256], line[8192];
    int found = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        found += strstr(line, text) != NULL;
    if (file)
        fclose(file);
    return found;
}

static void write_status(const setup *s, size_t point, const char *state)
{
    char path[256], text[256];
    snprintf(path, sizeof path, "%s/s/points/%s", folder, s->plan->point[point].key);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "s/points/%s/status", s->plan->point[point].key);
    snprintf(text, sizeof text,
             "state = %s\nexit = 0\nsignal = 0\nseconds = 1\ncpu_seconds = 1\npeak_bytes = 1e6\n"
             "disk_bytes = 1\nwhen = now\n",
             state);
    write_file(path, 0600, text, "");
    ws_sweep_look(s->sweep, point);
}

/* 400 s: a task is a point. */
static const char two[] = "[plan]\ncommand = sim {n}\ntime = 400 s\nmemory = 500 MB\n[axes]\nn = 1 2\n";

/* A task is refused while the only other one is over and its points may still come: it waits for these. The 99th call
 * is answered with nonsense, which ends the test. */
static void refused_while_others_are_over(void **state)
{
    (void)state;
    ws_slurm_patience = 0.01;
    script("sbatch", "n=$(count sbatch)\n"
                     "case $* in *--array=0-1*) exit 1 ;; esac\n"
                     "[ $n -lt 99 ] || { echo nonsense; exit; }\n"
                     "[ ! -e first ] || grep -q 'ended without' s/slurm/log || exit 1\n"
                     "[ ! -e first ] || touch go\n"
                     "touch first\necho $n\n");
    script("squeue", "[ ! -e go ] || for batch in s/slurm/0*; do finish ${batch##*/} 0; done\n"
                     "[ ! -e first ] || echo '2|0|COMPLETED|1|n1|||None'\n");
    setup s = open_sweep(two);
    run(&s, false, 2);
    assert_int_equal(lines("s/slurm/log", "COMPLETED on n1"), 1);
}

/* Tasks that the queue has forgotten: accounting says why each of them is over. */
static void states_from_accounting(void **state)
{
    (void)state;
    script("sbatch", "n=$(count sbatch)\necho $n\n");
    script("squeue", "for n in 2 3; do [ ! -e s/slurm/000$n ] || finish 000$n 0; done\n");
    script("sacct", "printf '1_0|TIMEOUT|n1\\n1_1|OUT_OF_MEMORY|n2\\n'\n");
    setup s = open_sweep(two);
    run(&s, false, 2);
    assert_int_equal(lines("s/slurm/log", "TIMEOUT on n1"), 1);
    assert_int_equal(lines("s/slurm/log", "OUT_OF_MEMORY on n2"), 1);
    assert_int_equal(lines("calls", "--mem-per-cpu=525M --time=15 "), 1);
    assert_int_equal(lines("calls", "--mem-per-cpu=1050M --time=8 "), 1);
    assert_int_equal(lines("calls", "sacct "), 1);
}

/* The job of a node that cannot run points avoids it, also when its first task is over. */
static void nodes_that_are_avoided(void **state)
{
    (void)state;
    script("sbatch", "n=$(count sbatch)\necho $n\n[ $n != 1 ] || echo n9 >s/slurm/0001/0.refused\n");
    script("squeue", "echo '1|0|FAILED|1|n9|||None'\n"
                     "if [ -e s/slurm/0002 ]; then finish 0001 1; finish 0002 0; echo '1|1|COMPLETED|1|n1|||None'\n"
                     "else echo '1|1|PENDING|1||||Resources'; fi\n");
    setup s = open_sweep(two);
    run(&s, false, 2);
    assert_int_equal(lines("calls", "scontrol update JobId=1 ExcNodeList=n9"), 1);
    assert_int_equal(lines("calls", "--exclude=n9 "), 1);
}

/* The limit of a task is from what its points take, as its size is; one point may take what the plan says. */
static void limits_of_packed_points(void **state)
{
    (void)state;
    script("sbatch", "count sbatch\n");
    script("squeue", "[ ! -e s/slurm/0001 ] || finish 0001 0\n");
    setup s = open_sweep("[plan]\ncommand = sim {n}\ntime = 10 min\n[axes]\nn = 1 2 3 4 5 6 7 8 9 10\n");
    write_status(&s, 0, "done");
    run(&s, false, 10);
    assert_int_equal(lines("calls", "--array=0-0 "), 1);
    assert_int_equal(lines("calls", "--time=11 "), 1);
}

/* Where nothing is stated, twice what Slurm gave. */
static void twice_what_was_given(void **state)
{
    (void)state;
    script("sbatch", "count sbatch\n");
    script("squeue", "[ ! -e s/slurm/0001 ] || echo '1|0|TIMEOUT|1|n1|30:00|2000M|None'\n"
                     "[ ! -e s/slurm/0002 ] || echo '2|0|OUT_OF_MEMORY|2|n1|1:01:00|2000M|None'\n"
                     "[ ! -e s/slurm/0003 ] || finish 0003 0\n");
    setup s = open_sweep("[plan]\ncommand = sim x\n");
    run(&s, false, 1);
    assert_int_equal(lines("calls", "--time="), 2);
    assert_int_equal(lines("calls", "--comment=2 --array=0-0 --nodes=1 --ntasks=1 --cpus-per-task=1 --time=61 "), 1);
    assert_int_equal(lines("calls", "--cpus-per-task=1 --mem-per-cpu=4000M --time=61 "), 1);
}

/* A state that is not known here is named, and waited for. */
static void states_of_other_versions(void **state)
{
    (void)state;
    script("sbatch", "count sbatch\n");
    script("squeue", "[ -e s/slurm/0001 ] || exit 0\n"
                     "[ $(count squeue) -lt 4 ] || { finish 0001 0; finish 0001 1; }\n"
                     "printf '1|%s|DREAMING|1|n1|||None\\n' 0 1\n");
    setup s = open_sweep(two);
    run(&s, false, 2);
    assert_int_equal(lines("s/slurm/log", "DREAMING, a state that is not known here"), 1);
    assert_int_equal(lines("s/slurm/log", "ended without"), 0);
}

/* Of points that failed, one is done by now: it stays, and is not submitted. */
static void done_meanwhile(void **state)
{
    (void)state;
    char path[256];
    script("sbatch", "count sbatch\n");
    script("squeue", "[ ! -e s/slurm/0001 ] || finish 0001 0\n");
    setup s = open_sweep(two);
    write_status(&s, 0, "failed");
    write_status(&s, 1, "failed");
    snprintf(path, sizeof path, "s/points/%s/status", s.plan->point[1].key);
    write_file(path, 0600,
               "state = done\nexit = 0\nsignal = 0\nseconds = 1\ncpu_seconds = 1\npeak_bytes = 1e6\ndisk_bytes = 1\n",
               "when = now\n");
    run(&s, true, 2);
    assert_int_equal(lines("calls", "sbatch "), 1);
    assert_int_equal(lines("calls", "--array=0-0 "), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refused_while_others_are_over, begin, end),
        cmocka_unit_test_setup_teardown(states_from_accounting, begin, end),
        cmocka_unit_test_setup_teardown(nodes_that_are_avoided, begin, end),
        cmocka_unit_test_setup_teardown(limits_of_packed_points, begin, end),
        cmocka_unit_test_setup_teardown(twice_what_was_given, begin, end),
        cmocka_unit_test_setup_teardown(states_of_other_versions, begin, end),
        cmocka_unit_test_setup_teardown(done_meanwhile, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
