/* executors.c - the table of executors. */
#include "record/sweep/executor.h"

#include <string.h>

static const ws_executor *const executors[] = {
#define EXECUTOR(name) &ws_executor_##name,
#include "record/sweep/executors.def"
#undef EXECUTOR
};

const char *const ws_executor_names[] = {
#define EXECUTOR(name) #name,
#include "record/sweep/executors.def"
#undef EXECUTOR
    NULL,
};

const ws_executor *ws_executor_find(const char *name)
{
    for (size_t i = 0; i < sizeof executors / sizeof *executors; i++)
        if (!strcmp(executors[i]->name, name))
            return executors[i];
    return NULL;
}
