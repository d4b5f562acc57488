/* cli.h - what every command of the program needs: options, numbers in options, interruption, progress. */
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

/* Turns off what the libraries would print, abort or run in threads on their own. */
void ws_libraries_quiet(void);
/* Prints name, version, compiler, flags and libraries. */
void ws_libraries_print(FILE *out);

#endif
