/* misused.h - the result of a step that was given wrong arguments. */
#ifndef WS_MISUSED_H
#define WS_MISUSED_H

enum { WS_MISUSED = 2 }; /* also a command's result; the message is shown with a hint at --help */

#endif
