/* c_locale.h - numbers of the C locale, in a process whose program has set another.
 *
 * A program that calls setlocale(LC_ALL, "") where people write a decimal comma has all threads read and print with it.
 * What is formatted or parsed between these two, in this thread, has a point. */
#ifndef WS_C_LOCALE_H
#define WS_C_LOCALE_H

#include <locale.h>

/* The locale of this thread until now, for ws_c_locale_leave. */
locale_t ws_c_locale_enter(void);
void ws_c_locale_leave(locale_t before);

#endif
