/* model.h - the models of `warpscape model`, made from models.def. As commands: see command.h. argv[0] is
 * "warpscape model NAME". */
#ifndef WS_MODEL_H
#define WS_MODEL_H

#include "cli/machine_traces.h"
#include "model/mechanism/prediction.h"

/* Runs a model for a request, and prints its frame. `traces`: those of the request, which are freed; NULL: none. */
int ws_model_run(const ws_predictor *model, const void *request, ws_traces_asked *traces, int argc, char **argv);

#define MODEL(name, summary) int ws_model_##name(int argc, char **argv);
#include "cli/models.def"
#undef MODEL

#endif
