/* corpus_replay.c - runs a fuzz target over the files named on the command line, without a fuzzing engine. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        return 1;
    }
    fseek(in, 0, SEEK_END);
    const long size = ftell(in);
    rewind(in);
    uint8_t *data =
        malloc(size > 0 ? (size_t)size : 1); /* exactly as long as the file, so that reading past it is seen */
    const int broken = size < 0 || !data || fread(data, 1, (size_t)size, in) != (size_t)size;
    fclose(in);
    if (broken)
        fprintf(stderr, "%s: cannot read\n", path);
    else
        LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return broken;
}

int main(int argc, char **argv)
{
    int broken = 0;
    for (int i = 1; i < argc; i++) {
        /* Named in front, so that the last name seen is the one that broke it. */
        if (getenv("REPLAY_VERBOSE"))
            fprintf(stderr, "%s\n", argv[i]);
        broken |= replay(argv[i]);
    }
    return broken;
}
