/* mutant.h - which fault is in force: `make mutants` includes this in its copies of files that it puts faults into.
 *
 * The environment says so: WS_MUTANT is the number of the fault, WS_MUTANT_REACHED a file of bytes in which the bytes
 * of the faults that come by are set to 1, also by child processes. No header of libc is included, so no name of the
 * file can be in the way. */
#ifndef TESTS_MUTANTS_MUTANT_H
#define TESTS_MUTANTS_MUTANT_H

#include <sys/syscall.h>

extern long syscall(long number, ...);

enum { WS_MUTANT_MOST = 4096 }; /* bytes of the file that are mapped */

static int ws_mutant_number;
static unsigned char *ws_mutant_reached;

/* Returns whether fault `number` is in force, and notes that it was reached. */
static inline int ws_mutant(int number)
{
    if (__builtin_expect(ws_mutant_reached != 0, 0))
        ws_mutant_reached[number] = 1;
    return ws_mutant_number == number;
}

/* Returns the value of `name=` in an environment, or 0. */
static const char *ws_mutant_value(char **environment, const char *name)
{
    for (; *environment; environment++) {
        const char *have = *environment, *want = name;
        while (*want && *have == *want)
            have++, want++;
        if (!*want)
            return have;
    }
    return 0;
}

/* Before the constructors of the program: the preloaded library starts earlier than libc does, so the environment is
 * the argument. */
__attribute__((constructor(101))) static void ws_mutant_start(int count, char **arguments, char **environment)
{
    (void)count, (void)arguments;
    const char *number = ws_mutant_value(environment, "WS_MUTANT=");
    for (; number && *number >= '0' && *number <= '9'; number++)
        ws_mutant_number = 10 * ws_mutant_number + *number - '0';
    const char *file = ws_mutant_value(environment, "WS_MUTANT_REACHED=");
    if (!file)
        return;
    long in = syscall(SYS_openat, -100 /* AT_FDCWD */, file, 2 /* O_RDWR */, 0);
    if (in < 0)
        return;
    long at = syscall(SYS_mmap, 0L, (long)WS_MUTANT_MOST, 3L /* PROT_READ | PROT_WRITE */, 1L /* MAP_SHARED */, in, 0L);
    syscall(SYS_close, in);
    if (at != -1)
        ws_mutant_reached = (unsigned char *)at;
}

#endif
