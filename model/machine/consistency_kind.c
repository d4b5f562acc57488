/* consistency_kind.c - see consistency_kind.h. */
#include "model/machine/consistency_kind.h"

#include "model/machine/kind_rows.h"

#define CONSISTENCY(name, word, sequential, summary) {word, summary, NULL, sequential},
const ws_consistency_kind ws_consistency_kinds[] = {
#include "model/machine/consistencies.def"
};

WS_KIND_ROWS(consistency_kind, ws_consistency_kinds)

const ws_consistency_kind *ws_consistency_of_protocol(bool sequential)
{
    enum {
#define CONSISTENCY(name, ...) CONSISTENCY_##name,
#include "model/machine/consistencies.def"
    };
    return &ws_consistency_kinds[sequential ? CONSISTENCY_sc : CONSISTENCY_rc];
}
