/* app.c - a CUDA program for tests of `warpscape run`: does what its arguments say, step by step.
 *
 *     work N R    N launches whose threads loop R times        exit N      exit(N)
 *     vary N S    N launches of 1 to 64 rounds, by seed S      _exit N     without handlers
 *     grow N      N launches of 1 to N blocks                  abort       as it says
 *     copy N      N bytes to the device, within it, back       kill        SIGKILL to itself
 *     fill N      N bytes                                      wait        prints "waiting" and sleeps
 *     freetwice   frees the same memory twice                  fork        a child that uses CUDA, after the parent did
 *     badgrid     a launch of no blocks                        forkfirst   two processes from here on, one waits
 *     outside     a launch that writes outside                 exec        the rest of the arguments in a program
 *     skewed      a launch with misaligned writes
 *     reuse       closes all that it did not open, and writes to files of its own with the numbers that became free
 *     endless     a launch that does not end                   leave       exit(0) while a thread is in such a launch
 *     toonew      asks for a function of a later CUDA
 *     threads N   N threads that launch at once                empty       a launch of a template */
#include <cuda.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ptx[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                          ".visible .entry _Z4workPfi(.param .u64 p, .param .u32 rounds)\n"
                          "{\n"
                          "    .reg .pred %q; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .f32 %f<3>;\n"
                          "    ld.param.u64 %d0, [p]; ld.param.u32 %r0, [rounds];\n"
                          "    mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d0, %d0, %d1;\n"
                          "    mov.u32 %r2, 0; mov.f32 %f0, 0f3F800000;\n"
                          "AGAIN:\n"
                          "    add.f32 %f0, %f0, %f0; add.s32 %r2, %r2, 1; setp.lt.s32 %q, %r2, %r0;\n"
                          "    @%q bra AGAIN;\n"
                          "    st.global.f32 [%d0], %f0;\n"
                          "    ret;\n"
                          "}\n"
                          ".visible .entry _Z5emptyIiEvT_(.param .u32 x)\n{\n    ret;\n}\n"
                          ".visible .entry _Z7endlessv()\n{\nHERE:\n    bra HERE;\n}\n";

static CUmodule module;
static CUdeviceptr memory;

static void say(const char *what, CUresult result)
{
    const char *name = "?";
    cuGetErrorName(result, &name);
    printf("%s: %s\n", what, name);
    fflush(stdout);
}

static void need(const char *what, CUresult result)
{
    if (result == CUDA_SUCCESS)
        return;
    say(what, result);
    exit(9);
}

static void set_up(void)
{
    CUcontext context;
    if (module)
        return;
    need("cuInit", cuInit(0));
    need("cuCtxCreate", cuCtxCreate(&context, 0, 0));
    need("cuModuleLoadData", cuModuleLoadData(&module, ptx));
    need("cuMemAlloc", cuMemAlloc(&memory, 1 << 20));
}

enum { OWN, ELSEWHERE, SKEWED };

/* Writes to the program's memory, where it must not, or misaligned. */
static CUresult launch(const char *kernel, unsigned blocks, int rounds, int where)
{
    CUfunction function;
    set_up();
    CUdeviceptr at = where == OWN ? memory : where == SKEWED ? memory + 2 : 64;
    void *parameters[] = {&at, &rounds};
    need("cuModuleGetFunction", cuModuleGetFunction(&function, module, kernel));
    return cuLaunchKernel(function, blocks, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL);
}

static void work(int n, int rounds)
{
    for (int i = 0; i < n; i++)
        need("cuLaunchKernel", launch("_Z4workPfi", 4, rounds, OWN));
}

static void vary(int n, uint32_t seed)
{
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        need("cuLaunchKernel", launch("_Z4workPfi", 4, 1 + (int)(seed >> 26), OWN));
    }
}

static void copy(size_t n)
{
    char *const host = calloc(1, n);
    set_up();
    need("cuMemcpyHtoD", cuMemcpyHtoD(memory, host, n));
    need("cuMemcpyDtoD", cuMemcpyDtoD(memory + (1 << 19), memory, n));
    need("cuMemcpyDtoH", cuMemcpyDtoH(host, memory, n));
    free(host);
}

static void free_twice(void)
{
    set_up();
    say("first", cuMemFree(memory));
    say("second", cuMemFree(memory));
}

static void fork_late(void)
{
    set_up();
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        say("child", cuInit(0));
        exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void fork_first(void)
{
    fflush(stdout);
    const pid_t pid = fork();
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

static CUcontext shared;

static void *in_thread(void *context)
{
    (void)context;
    need("cuCtxSetCurrent", cuCtxSetCurrent(shared));
    work(5, 8);
    return NULL;
}

static void threads(int n)
{
    pthread_t thread[16];
    set_up();
    need("cuCtxGetCurrent", cuCtxGetCurrent(&shared));
    for (int i = 0; i < n && i < 16; i++)
        pthread_create(&thread[i], NULL, in_thread, NULL);
    for (int i = 0; i < n && i < 16; i++)
        pthread_join(thread[i], NULL);
}

static void *never_ends(void *context)
{
    (void)context;
    need("cuCtxSetCurrent", cuCtxSetCurrent(shared));
    (void)launch("_Z7endlessv", 1, 0, OWN); /* the process is gone before there is anything to say */
    return NULL;
}

static void leave(void)
{
    pthread_t thread;
    set_up();
    need("cuCtxGetCurrent", cuCtxGetCurrent(&shared));
    pthread_create(&thread, NULL, never_ends, NULL);
    usleep(100000);
    exit(0);
}

static void wait_for_ever(void)
{
    puts("waiting");
    fflush(stdout);
    for (;;)
        pause();
}

/* As programs do that were careful to start with nothing open. */
static void reuse(void)
{
    char name[] = "own0";
    for (int fd = 3; fd < 256; fd++)
        close(fd);
    for (; name[3] <= '9'; name[3]++) {
        FILE *const own = fopen(name, "w");
        if (!own || fputs("own\n", own) < 0 || fflush(own))
            abort(); /* and stays open */
    }
}

/* Once is said, however often it is asked. */
static void ask_for_new(void)
{
    void *function = NULL;
    for (int version = 14000; version <= 99000; version += 85000)
        say("toonew", cuGetProcAddress("cuMemAlloc", &function, version, 0, NULL));
}

/* Steps without a number. Returns false for an unknown one. */
static int plain(const char *step, char **rest, const char *self)
{
    if (!strcmp(step, "freetwice"))
        free_twice();
    else if (!strcmp(step, "badgrid"))
        say("badgrid", launch("_Z4workPfi", 0, 1, OWN));
    else if (!strcmp(step, "toonew"))
        ask_for_new();
    else if (!strcmp(step, "outside"))
        say("outside", launch("_Z4workPfi", 1, 1, ELSEWHERE));
    else if (!strcmp(step, "skewed"))
        say("skewed", launch("_Z4workPfi", 3, 2, SKEWED));
    else if (!strcmp(step, "empty"))
        say("empty", launch("_Z5emptyIiEvT_", 1, 1, OWN));
    else if (!strcmp(step, "endless"))
        say("endless", launch("_Z7endlessv", 1, 0, OWN));
    else if (!strcmp(step, "leave"))
        leave();
    else if (!strcmp(step, "abort"))
        abort();
    else if (!strcmp(step, "kill"))
        kill(getpid(), SIGKILL);
    else if (!strcmp(step, "reuse"))
        reuse();
    else if (!strcmp(step, "wait"))
        wait_for_ever();
    else if (!strcmp(step, "fork"))
        fork_late();
    else if (!strcmp(step, "forkfirst"))
        fork_first();
    else if (!strcmp(step, "exec")) {
        rest[-1] = (char *)(uintptr_t)self;
        execv(self, rest - 1);
    } else
        return 0;
    return 1;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *const step = argv[i];
        if (plain(step, argv + i + 1, argv[0]))
            continue;
        const int n = i + 1 < argc ? atoi(argv[++i]) : 0;
        if (!strcmp(step, "work"))
            work(n, i + 1 < argc ? atoi(argv[++i]) : 1);
        else if (!strcmp(step, "vary"))
            vary(n, i + 1 < argc ? (uint32_t)atoi(argv[++i]) : 1);
        else if (!strcmp(step, "grow"))
            for (int k = 1; k <= n; k++)
                need("cuLaunchKernel", launch("_Z4workPfi", (unsigned)k, 4, OWN));
        else if (!strcmp(step, "copy"))
            copy((size_t)n);
        else if (!strcmp(step, "fill"))
            set_up(), need("cuMemsetD8", cuMemsetD8(memory, 1, (size_t)n));
        else if (!strcmp(step, "threads"))
            threads(n);
        else if (!strcmp(step, "exit"))
            exit(n);
        else if (!strcmp(step, "_exit"))
            fflush(stdout), _exit(n);
        else {
            fprintf(stderr, "app: no step '%s'\n", step);
            return 8;
        }
    }
    return 0;
}
