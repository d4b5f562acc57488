/* shaped_source.h - a source whose warps do what an assembler would have made of their PTX (collect/shape/shape.h). */
#ifndef WS_SHAPED_SOURCE_H
#define WS_SHAPED_SOURCE_H

#include "model/sim/sm/source.h"

/* Puts itself in the place of *source, which it owns from then on; when it fails, *source is what it was. `rows`: those
 * of shape.def. WS_EUNSUPPORTED: the launch does not say what its operands are. */
int ws_source_shape(ws_source **source, uint32_t rows);

#endif
