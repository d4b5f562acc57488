/* misused.h - status of a step called with wrong arguments. */
#ifndef WS_MISUSED_H
#define WS_MISUSED_H

enum { WS_MISUSED = 2 }; /* also the exit status of a command; the message is shown with a hint at --help */

#endif
