/* sources.c - see sources.h. */
#include "cli/record/sources.h"

#include "base/grow.h"
#include "base/status.h"
#include "cli/common/source_file.h"

#include <stdlib.h>
#include <string.h>

static bool has(const ws_sources *s, const char *file)
{
    for (size_t i = s->files; i-- > 0;) /* mostly one of the last */
        if (!strcmp(s->file[i], file))
            return true;
    return false;
}

int ws_sources_see(ws_sources *s, const ws_origin *origin)
{
    const char *last = NULL;
    for (size_t i = 1; i < origin->places; i++) {
        const char *const file = origin->place[i].file;
        if (!file || file == last || has(s, file))
            continue;
        last = file;
        if (WS_GROW(s->file, s->room, s->files, 1))
            return WS_EMEM;
        s->file[s->files] = strdup(file);
        if (!s->file[s->files++])
            return ws_fail(WS_EMEM, "no memory for the names of source files");
    }
    return WS_OK;
}

int ws_sources_note(ws_sources *s, ws_store *store, int64_t run)
{
    int status = WS_OK;
    for (; s->noted < s->files && !status; s->noted++) {
        ws_source_file text;
        if (ws_source_file_load(s->file[s->noted], &text))
            continue;
        status = ws_store_note_source(store, run, s->file[s->noted], text.fingerprint);
        ws_source_file_fini(&text);
    }
    return status;
}

void ws_sources_fini(ws_sources *s)
{
    for (size_t i = 0; i < s->files; i++)
        free(s->file[i]);
    free(s->file);
    *s = (ws_sources){0};
}
