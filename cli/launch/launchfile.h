/* launchfile.h - parsed launch file: a script of buffers, launches and expectations. docs/launch-file.md describes the
 * format. */
#ifndef WS_LAUNCHFILE_H
#define WS_LAUNCHFILE_H

#include "base/arena.h"
#include "collect/ptx/module.h"
#include "collect/simt/texture.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ws_content_kind {
    WS_CONTENT_KEEP, /* keep a symbol's initial value from the module */
    WS_CONTENT_ZERO,
    WS_CONTENT_FILL,   /* low: every element */
    WS_CONTENT_IOTA,   /* start, start + step, ... */
    WS_CONTENT_RANDOM, /* uniform in low..high */
    WS_CONTENT_VALUES, /* runs */
    WS_CONTENT_FILE,
    WS_CONTENT_SAME /* the present content of another buffer */
} ws_content_kind;

typedef struct ws_value_run {
    uint64_t bits, count;
} ws_value_run;

/* Content of elements, to write or to expect. */
typedef struct ws_content {
    ws_content_kind kind;
    uint32_t line, column;
    uint64_t bits;      /* FILL */
    double start, step; /* IOTA of floats; RANDOM of floats: from start to step */
    int64_t first, by;  /* IOTA of integers; RANDOM of integers: from first to by */
    uint64_t seed;      /* RANDOM */
    const ws_value_run *run;
    size_t runs;      /* VALUES; the counts sum to the number of elements */
    const char *path; /* FILE: raw little-endian elements, relative to the launch file's folder */
    uint32_t buffer;  /* SAME */
} ws_content;

typedef struct ws_launch_buffer {
    const char *name;
    ws_type type;
    uint64_t count;
    bool is_symbol; /* a variable of the module instead of a separate allocation */
    uint32_t line, column;
} ws_launch_buffer;

/* A buffer used as a texture or surface: through a variable of the module, or an object. */
typedef struct ws_launch_texture {
    const char *name;
    uint32_t buffer;
    ws_texture form; /* without an address */
    bool surface;
    uint32_t line, column;
} ws_launch_texture;

typedef enum ws_argument_kind {
    WS_ARGUMENT_VALUE,
    WS_ARGUMENT_BUFFER,
    WS_ARGUMENT_STRUCT,
    WS_ARGUMENT_TEXTURE
} ws_argument_kind;

typedef struct ws_argument {
    ws_argument_kind kind;
    uint32_t line, column;
    ws_type type;                    /* VALUE: WS_T_NONE for the parameter's type */
    const char *text;                /* VALUE as written */
    uint32_t buffer;                 /* BUFFER: its address */
    int64_t offset;                  /* BUFFER: bytes added */
    uint32_t texture;                /* TEXTURE: its handle */
    const struct ws_argument *field; /* STRUCT: VALUE with a type, or BUFFER */
    size_t fields;
} ws_argument;

typedef enum ws_step_kind {
    WS_STEP_SET,     /* fill a buffer */
    WS_STEP_TEXTURE, /* bind a variable, or create an object */
    WS_STEP_LAUNCH,
    WS_STEP_EXPECT,       /* compare elements */
    WS_STEP_PRINTED,      /* compare the output of the last launch */
    WS_STEP_INSTRUCTIONS, /* compare the instruction count of the last launch */
    WS_STEP_PRINT         /* print elements */
} ws_step_kind;

typedef struct ws_script_step {
    ws_step_kind kind;
    uint32_t line, column;
    uint32_t buffer;         /* SET, EXPECT, PRINT */
    uint32_t texture;        /* TEXTURE */
    uint64_t first, count;   /* EXPECT, PRINT: elements */
    ws_content content;      /* SET, EXPECT */
    double within, relative; /* EXPECT; 0: exact */
    const char *text;        /* PRINTED; LAUNCH: text of the expected fault, or NULL for expected success */
    const char *kernel;      /* LAUNCH ... */
    uint32_t grid[3], block[3], shared_bytes;
    uint32_t cluster[3]; /* blocks; zeros: as the kernel says */
    uint64_t limit;      /* warp instructions; 0: not given */
    bool cooperative;
    const ws_argument *argument;
    size_t arguments;
    uint64_t instructions; /* INSTRUCTIONS: expected number */
    bool per_thread;       /* INSTRUCTIONS: count thread instructions, not warp instructions */
} ws_script_step;

typedef struct ws_script {
    const char *file;   /* name in messages */
    const char *folder; /* folder of the file, with a trailing /, or "" */
    const ws_launch_buffer *buffer;
    size_t buffers;
    const ws_launch_texture *texture;
    size_t textures;
    const ws_script_step *step;
    size_t steps;
    ws_arena *arena;
} ws_script;

/* Parses a launch file. WS_EINPUT with "file:line:column: expected ..., found ...". The script owns its arena: free it
 * with ws_script_destroy. */
int ws_launchfile_parse(const char *file, const char *text, size_t length, ws_script **out);
int ws_launchfile_load(const char *path, ws_script **out);
void ws_script_destroy(ws_script *script);

#endif
