/* libraries.c - which libraries is the program made of, and do they keep quiet? */
#include "base/linear/linear.h"
#include "cli/cli.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>
#include <sqlite3.h>
#include <xxhash.h>

void ws_libraries_quiet(void)
{
    gsl_set_error_handler_off();
}

void ws_libraries_print(FILE *out)
{
    const unsigned xxhash = XXH_versionNumber();
    fprintf(out, "warpscape %s\n", WS_VERSION);
    fprintf(out, "compiler: %s %s\n",
#ifdef __clang__
            "clang",
#else
            "gcc",
#endif
            __VERSION__);
    fprintf(out, "flags: %s\n", WS_FLAGS);
    fprintf(out, "libraries: GSL %s, SQLite %s, xxHash %u.%u.%u, %s\n", gsl_version, sqlite3_libversion(),
            xxhash / 10000, xxhash / 100 % 100, xxhash % 100, ws_linear_library());
    fputs("licence: GPL-3.0-or-later\n", out);
}
