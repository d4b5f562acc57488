/* plan_internal.h - what the files of a plan's reader share. */
#ifndef WS_PLAN_INTERNAL_H
#define WS_PLAN_INTERNAL_H

#include "base/status.h"
#include "record/plan/sweep_plan.h"

/* One condition of an exclusion or a choice: which values of an axis, or which blocks, it has. */
typedef struct plan_condition {
    size_t axis; /* PLAN_ON_BLOCKS: its values are blocks */
    bool *has;   /* [values of the axis, or blocks] */
} plan_condition;
#define PLAN_ON_BLOCKS SIZE_MAX

/* Points for which all conditions hold. */
typedef struct plan_exclusion {
    const plan_condition *condition;
    size_t conditions;
} plan_exclusion;

struct plan_content;
struct ws_plan_memory {
    ws_arena *arena;
    ws_settings *settings;
    plan_exclusion *exclusion;
    size_t exclusions, exclusion_room;
    const char *machines;         /* the folder with their files; NULL: not looked for yet */
    struct plan_content *content; /* hashes of files, by what words call them */
};

/* "FILE:LINE:COLUMN: " of a setting before the message; WS_EINPUT. */
int plan_fail(const ws_plan *plan, const ws_setting *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
int plan_no_memory(const ws_plan *plan);

long plan_find_axis(const ws_plan *plan, const char *name, size_t length);
long plan_find_block(const ws_plan *plan, const char *name, size_t length);

/* plan_command.c: marks the axes and blocks that the command of a block names, through values too; needs the block's
 * values of axes. */
int plan_command_check(ws_plan *plan, size_t block);

/* plan_command.c: the words of a point, in which files of points are marked; in memory of the arena. */
int plan_words(const ws_plan *plan, const ws_plan_point *point, ws_arena *arena, char ***words, size_t *count);

/* plan_command.c: refuses words of a point that no point of the block can have: a sweep, `run` without {db}, a
 * checkpoint of what is no simulation. WS_EINPUT. */
int plan_words_check(const ws_plan *plan, const ws_plan_block *block, char *const *words);

/* The point of another block that has this one's labels, WS_PLAN_NO_POINT where it is excluded. WS_EINPUT when that
 * block does not have them. */
int plan_find_needed(const ws_plan *plan, const ws_plan_point *point, size_t block, uint32_t *out);

/* plan_choice.c: reads conditions, words with blanks between; messages begin with what is said of `at`, or with `what`
 * where that is NULL. */
int plan_conditions_read(const ws_plan *plan, const ws_setting *at, const char *what, const char *text,
                         plan_exclusion *out);
bool plan_excludes(const plan_exclusion *exclusion, const ws_plan_point *point);

/* plan_content.c: adds to a hash what files the words of a command name. WS_ENOTFOUND for a program that is none. */
struct XXH3_state_s;
int plan_content_add(const ws_plan *plan, const ws_plan_block *block, char *const *words, size_t count,
                     struct XXH3_state_s *hash);
void plan_content_destroy(struct plan_content *content);

#endif
