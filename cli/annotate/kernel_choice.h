/* kernel_choice.h - which kernels does a command show? WORKLOAD, any case or `.` for all, and a regular expression of the kernel. */
#ifndef WS_KERNEL_CHOICE_H
#define WS_KERNEL_CHOICE_H

#include <regex.h>
#include <stdbool.h>

typedef struct ws_kernel_choice {
    const char *workload, *kernel; /* NULL: all */
    regex_t match;                 /* where kernel is said */
    bool prepared;
} ws_kernel_choice;

/* Takes the next argument. False: there are two already. */
bool ws_kernel_choice_take(ws_kernel_choice *choice, const char *argument);

/* Before it is asked. WS_EINPUT: no regular expression. Free with fini, which accepts a zeroed one. */
int ws_kernel_choice_prepare(ws_kernel_choice *choice);
void ws_kernel_choice_fini(ws_kernel_choice *choice);

/* kernel and title: as in the program and as people write it. */
bool ws_kernel_choice_has(const ws_kernel_choice *choice, const char *workload, const char *kernel, const char *title);

/* WS_ENOTFOUND, with what was asked for. */
int ws_kernel_choice_refuse(const ws_kernel_choice *choice, const char *db);

#endif
