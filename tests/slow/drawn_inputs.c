/* drawn_inputs.c - a fuzz target without a fuzzing engine: random bytes, so many inputs from a seed on.
 * usage: drawn_inputs NAME FIRST COUNT */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 512 };

static uint64_t current;

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static void one(uint64_t seed)
{
    uint8_t data[MOST_BYTES];
    uint64_t state = seed * 0x9e3779b97f4a7c15u;
    const size_t size = 16 + draw(&state) % (MOST_BYTES - 16);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)draw(&state);
    LLVMFuzzerTestOneInput(data, size);
}

/* Names the input that broke the target. */
static void broken(int number)
{
    char text[64];
    const int n = snprintf(text, sizeof text, "input %llu broke it\n", (unsigned long long)current);
    if (write(STDOUT_FILENO, text, (size_t)n) != n)
        _exit(1);
    signal(number, SIG_DFL);
    raise(number);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: drawn_inputs NAME FIRST COUNT\n");
        return 2;
    }
    const uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
    signal(SIGABRT, broken);
    signal(SIGSEGV, broken);
    for (current = first; current < first + count; current++)
        one(current);
    printf("%s: %llu passed, 0 failed\n", argv[1], (unsigned long long)count);
    return 0;
}
