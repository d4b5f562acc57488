/* sweep_plan.h - plans: files that name many runs of this program by axes, and the points that come out of them.
 *
 *     [plan]
 *     command = sim --config gtsc {protocol} --power {power} --suite {workload}
 *     outputs = power                     ; a further frame: {power} is its path
 *     [axes]
 *     workload = BP GS HS
 *     [axis protocol]                     ; a label, and what it stands for in the command
 *     strong = --protocol tc-strong
 *     gtsc = --protocol gtsc-rc
 *
 * docs/plans.md has all of it. A point is one run: a block of points, one value of each axis that the block's command
 * names, and a key, which is a hash of all that its numbers depend on. Nothing here starts a process. */
#ifndef WS_SWEEP_PLAN_H
#define WS_SWEEP_PLAN_H

#include "base/arena.h"
#include "base/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WS_PLAN_AXES_MOST = 24,
    WS_PLAN_BLOCKS_MOST = 512,
    WS_PLAN_OUTPUTS_MOST = 8,
    WS_PLAN_LABELS_MOST = 8,      /* further labels of an axis */
    WS_PLAN_VALUES_MOST = 5000,   /* of an axis */
    WS_PLAN_POINTS_ASK = 10000,   /* more are only run when the user says so */
    WS_PLAN_CELLS_MOST = 4000000, /* points before exclusions that are laid out at all */
    WS_PLAN_KEY = 32              /* hexadecimal digits of a key */
};

/* Which rows of a frame become rows of its point. */
typedef enum ws_plan_rows {
#define PLAN_ROWS(name, meaning) WS_PLAN_ROWS_##name,
#include "record/plan/plan_rows.def"
#undef PLAN_ROWS
    WS_PLAN_ROWS
} ws_plan_rows;

typedef struct ws_plan_take {
    ws_plan_rows rows;
    const char *weight; /* of sums: the column that rates are multiplied by, watts by seconds, and all others where it
                           has no unit; NULL: none */
} ws_plan_take;

/* What a command leaves in its point's folder, at the path that stands for {NAME}. */
typedef struct ws_plan_output {
    const char *name;
    bool is_frame; /* its columns become NAME.COLUMN of the plan's frame */
    ws_plan_take take;
    const ws_setting *at;
    bool is_written; /* the command has its path */
} ws_plan_output;

typedef struct ws_plan_value {
    const char *label, *words;  /* words: what {AXIS} stands for */
    const char *const *further; /* [labels] of the axis; NULL until they are known */
    const ws_setting *at;       /* where it stands, for messages */
} ws_plan_value;

typedef struct ws_plan_axis {
    const char *name;
    const char *label_name[WS_PLAN_LABELS_MOST]; /* of its further labels */
    size_t labels;
    const ws_setting *labels_at;
    ws_plan_value *value;
    size_t values, room;
    const ws_setting *at;
    bool declared, used; /* declared outside of blocks; named by a command */
} ws_plan_axis;

/* Points with one command. */
typedef struct ws_plan_block {
    const char *name; /* "" in a plan without sections [points NAME] */
    const char *command;
    const ws_setting *at; /* of the command */
    ws_plan_take take;    /* of what it prints */
    ws_plan_output output[WS_PLAN_OUTPUTS_MOST];
    size_t outputs;
    double memory_bytes, seconds;       /* of a point, as the plan estimates; 0: it does not */
    double checkpoint_cycles;           /* between checkpoints of `sim`; 0: none */
    uint32_t cores;                     /* that a point keeps busy */
    int other_exit;                     /* exit status of a point that is done, besides 0; 0: no other */
    bool has_db;                        /* {db}: the point's own results file */
    bool axis[WS_PLAN_AXES_MOST];       /* whether its points differ by it */
    uint16_t *value[WS_PLAN_AXES_MOST]; /* of each such axis, those values that it has */
    size_t values[WS_PLAN_AXES_MOST];
    bool listed[WS_PLAN_AXES_MOST];  /* whether its section lists them */
    bool needs[WS_PLAN_BLOCKS_MOST]; /* earlier blocks whose outputs the command reads */
    unsigned stage;                  /* 0, or one more than those of the blocks that it needs */
    size_t cells;                    /* points before exclusions */
    uint32_t *point;                 /* [cells], once they are laid out; WS_PLAN_NO_POINT: excluded */
} ws_plan_block;

#define WS_PLAN_NO_POINT UINT32_MAX
#define WS_PLAN_NO_VALUE UINT16_MAX

typedef struct ws_plan_point {
    uint16_t block;
    uint16_t value[WS_PLAN_AXES_MOST]; /* of each axis; WS_PLAN_NO_VALUE: its block lacks it */
    char key[WS_PLAN_KEY + 1];
} ws_plan_point;

typedef struct ws_plan {
    const char *file, *name;
    const char *folder; /* of the file: commands run there, and their words name files from there */
    ws_plan_axis axis[WS_PLAN_AXES_MOST];
    ws_plan_block *block;
    size_t axes, blocks;
    double cells;         /* of all blocks */
    ws_plan_point *point; /* once they are laid out: by blocks, the last axis fastest */
    size_t points;
    unsigned stages;
    const char *text; /* of the file */
    size_t text_bytes;
    struct ws_plan_memory *memory; /* plan_internal.h */
} ws_plan;

/* Reads a plan and lays out no point. Every defect is WS_EINPUT with "FILE:LINE:COLUMN: ...": a name that is no axis,
 * no block and no output, an axis that no command names, two values of one label, numbers out of bounds ... WS_EIO for
 * a file, the plan or one of labels, that cannot be read; WS_ELIMIT. The caller frees it with ws_plan_destroy. */
int ws_plan_read(const char *path, ws_plan **out);
/* The same of text[0..length), from a file called so. */
int ws_plan_parse(const char *file, const char *text, size_t length, ws_plan **out);
void ws_plan_destroy(ws_plan *plan); /* accepts NULL */

/* Makes the points and their keys. WS_ELIMIT for more than WS_PLAN_CELLS_MOST; WS_EINPUT for a command that cannot be
 * made (a number is multiplied that is none, a needed point is excluded), a program that `run` does not find. */
int ws_plan_lay_out(ws_plan *plan);

/* Where the files of points are: points/KEY in the folder of a sweep; `own` stands for that of the point itself, which
 * is elsewhere while it runs, and `own_db` for the folder of its results file (NULL: the same). NULL: no folder is
 * known, and files are called KEY/NAME. */
typedef struct ws_plan_place {
    const char *root, *own, *own_db;
} ws_plan_place;

#define WS_PLAN_RESULTS "results.db" /* {db} in the folder of a point; those of all points in that of a sweep */

/* The words of a point's command, without the program's name; a NULL is behind the last. They live in the arena. */
int ws_plan_words(const ws_plan *plan, size_t point, const ws_plan_place *place, ws_arena *arena, char ***words,
                  size_t *count);

/* The label of a point on an axis, "NA" where its block lacks it. */
const char *ws_plan_label(const ws_plan *plan, size_t point, size_t axis);

/* "workload=BH run=I4", for messages. */
void ws_plan_point_name(const ws_plan *plan, size_t point, char *text, size_t size);

/* The points that a point needs, at most one a block; *count of them, in needed[WS_PLAN_BLOCKS_MOST]. */
void ws_plan_needs(const ws_plan *plan, size_t point, size_t *needed, size_t *count);

/* Unmarks in chosen[points] those that a choice leaves out: "AXIS=VALUE|VALUE", "AXIS!=VALUE". AXIS is an axis, one of
 * its further labels, or `points` for the name of the block; values may be patterns (glob). WS_EINPUT, `what` first,
 * for a name or value that is none. */
int ws_plan_choose(const ws_plan *plan, const char *what, const char *choice, bool *chosen);

#endif
