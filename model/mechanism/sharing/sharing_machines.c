/* sharing_machines.c - see sharing_machines.h. */
#include "model/mechanism/sharing/sharing_machines.h"

#include "base/status.h"
#include "model/access_log.h"
#include "model/machine/machine.h"
#include "model/mechanism/sharing/touch_log.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct row {
    const char *name, *settings;
} row;

static const row cta_rows[] = {
#define VARIANT(name, settings) {name, settings},
#include "model/mechanism/sharing/cta_variants.def"
#undef VARIANT
};
static const row cache_rows[] = {
#define CACHES(name, settings) {#name, settings},
#include "model/mechanism/sharing/cache_variants.def"
#undef CACHES
};

static int add_all(const ws_machine_choice *choice, const row *rows, size_t n, ws_variant *list, size_t *count)
{
    int status = WS_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = ws_variants_add(choice, rows[i].name, rows[i].settings, list, count);
    return status;
}

/* *text: what a machine lacks of what the forms want, "" if nothing, for the caller to free. */
static int find_lacking(const ws_machine *m, char **text)
{
    const struct {
        bool is_there;
        const char *setting;
    } needs[] = {
#define NEED(holds, setting) {holds, setting},
#include "model/mechanism/sharing/cache_needs.def"
#undef NEED
    };
    size_t bytes = 0;
    FILE *const out = open_memstream(text, &bytes);
    for (size_t i = 0; out && i < sizeof needs / sizeof *needs; i++)
        if (!needs[i].is_there)
            fprintf(out, "%s%s", ftell(out) ? ", " : "", needs[i].setting);
    return out && !fclose(out) ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

static int add_caches(const ws_machine_choice *choice, const ws_machine *base, ws_sharing_machines *m)
{
    const int status = find_lacking(base, &m->lacking);
    if (status || *m->lacking)
        return status;
    free(m->lacking);
    m->lacking = NULL;
    return add_all(choice, cache_rows, WS_CACHE_VARIANTS, m->by_caches, &m->caches);
}

int ws_sharing_machines_create(const ws_machine_choice *choice, const ws_machine *base, ws_sharing_machines *m)
{
    if (ws_machine_sms(base) > WS_TOUCH_SMS)
        return ws_fail(WS_EUNSUPPORTED, "machine %s has %u SMs; sharing supports at most %d", base->name,
                       ws_machine_sms(base), WS_TOUCH_SMS);
    const int status = add_all(choice, cta_rows, WS_CTA_VARIANTS, m->by_cta, &m->ctas);
    return status ? status : add_caches(choice, base, m);
}

void ws_sharing_machines_fini(ws_sharing_machines *m)
{
    ws_variants_destroy(m->by_cta, m->ctas);
    ws_variants_destroy(m->by_caches, m->caches);
    free(m->lacking);
}
