/* machine_declared.h - the name of a machine, for headers that hand one on: another option then compiles anew those who
 * read options. */
#ifndef WS_MACHINE_DECLARED_H
#define WS_MACHINE_DECLARED_H

typedef struct ws_machine ws_machine;

#endif
