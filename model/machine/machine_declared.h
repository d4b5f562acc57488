/* machine_declared.h - the name of a machine, for headers that hand one on, so that a new option recompiles only files
 * that read options. */
#ifndef WS_MACHINE_DECLARED_H
#define WS_MACHINE_DECLARED_H

typedef struct ws_machine ws_machine;

#endif
