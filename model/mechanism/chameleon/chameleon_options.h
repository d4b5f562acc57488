/* chameleon_options.h - the options of `warpscape model chameleon`. */
#ifndef WS_CHAMELEON_OPTIONS_H
#define WS_CHAMELEON_OPTIONS_H

#include "model/mechanism/chameleon/chameleon.h"

/* As a command's first step; argv[0] is "warpscape model chameleon". */
void ws_chameleon_parse(int argc, char **argv, ws_chameleon_request *request);

#endif
