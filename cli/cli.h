/* cli.h - common facilities of the program's commands: options, numbers in options, interruption, progress. */
#ifndef WS_CLI_H
#define WS_CLI_H

#include "base/frame.h"
#include "base/interrupt.h"
#include "base/options/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "cli/command.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Disables printing, aborting and threading by third-party libraries. */
void ws_libraries_quiet(void);
/* Prints name, version, compiler, flags and libraries. */
void ws_libraries_print(FILE *out);

#endif
