/* read_all.c - see read_all.h. */
#include "base/read_all.h"

#include "base/grow.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 1 << 16 };

static int read_on(FILE *in, const char *name, size_t most, char **text, size_t *length)
{
    size_t room = 0;
    for (size_t n = 1; n; *length += n) {
        if (most && *length > most)
            return ws_fail(WS_ELIMIT, "%s: longer than %zu MiB", name, most >> 20);
        if (WS_GROW(*text, room, *length, READ_BYTES + 1))
            return ws_fail(WS_EMEM, "%s: out of memory", name);
        n = fread(*text + *length, 1, room - *length - 1, in);
    }
    if (ferror(in))
        return ws_fail(WS_EIO, "%s: cannot be read: %s", name, strerror(errno));
    (*text)[*length] = '\0';
    return WS_OK;
}

int ws_read_all(FILE *in, const char *name, size_t most, char **text, size_t *length)
{
    *text = NULL;
    *length = 0;
    const int status = read_on(in, name, most, text, length);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}
