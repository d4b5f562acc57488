/* c_locale.h - number formatting in the C locale, for processes that have set another locale.
 *
 * A program may call setlocale(LC_ALL, "") in a locale with a decimal comma; all its threads then read and print
 * commas. Between ws_c_locale_enter and ws_c_locale_leave, the calling thread formats and parses numbers with a decimal
 * point. */
#ifndef WS_C_LOCALE_H
#define WS_C_LOCALE_H

#include <locale.h>

/* Returns the previous locale of this thread, to be passed to ws_c_locale_leave. */
locale_t ws_c_locale_enter(void);
void ws_c_locale_leave(locale_t before);

#endif
