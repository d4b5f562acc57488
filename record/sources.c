/* sources.c - see sources.h. */
#include "record/sources.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/source_file.h"

#include <stdlib.h>
#include <string.h>

static bool has(const ws_sources *s, const char *file)
{
    for (size_t i = s->files; i-- > 0;) /* mostly one of the last */
        if (!strcmp(s->seen[i].file, file))
            return true;
    return false;
}

static void look(ws_source_seen *at, const ws_trace *trace)
{
    ws_source_file text;
    if (trace) {
        at->known = ws_trace_source(trace, at->file, &at->fingerprint);
    } else if (!ws_source_file_load(at->file, &text)) {
        at->known = true;
        at->fingerprint = text.fingerprint;
        ws_source_file_fini(&text);
    }
}

int ws_sources_see(ws_sources *s, const ws_origin *origin)
{
    const char *last = NULL;
    for (size_t i = 1; i < origin->places; i++) {
        const char *const file = origin->place[i].file;
        if (!file || file == last || has(s, file))
            continue;
        last = file;
        if (WS_GROW(s->seen, s->room, s->files, 1))
            return WS_EMEM;
        ws_source_seen *const at = &s->seen[s->files++];
        *at = (ws_source_seen){.file = strdup(file)};
        if (!at->file)
            return ws_fail(WS_EMEM, "no memory for the names of source files");
        if (ws_place_has_name(&origin->place[i]))
            look(at, s->trace);
    }
    return WS_OK;
}

int ws_sources_note(ws_sources *s, ws_store *store, int64_t run)
{
    int status = WS_OK;
    for (; s->noted < s->files && !status; s->noted++)
        if (s->seen[s->noted].known)
            status = ws_store_note_source(store, run, s->seen[s->noted].file, s->seen[s->noted].fingerprint);
    return status;
}

int ws_sources_keep(const ws_sources *s, ws_trace_writer *trace)
{
    int status = WS_OK;
    for (size_t i = 0; i < s->files && !status; i++)
        if (s->seen[i].known)
            status = ws_trace_writer_source(trace, s->seen[i].file, s->seen[i].fingerprint);
    return status;
}

void ws_sources_fini(ws_sources *s)
{
    for (size_t i = 0; i < s->files; i++)
        free(s->seen[i].file);
    free(s->seen);
    *s = (ws_sources){0};
}
