/* set_locale.c - preloaded: the process is in the locale of its environment from the beginning, as programs of users
 * may be. Messages of the system stay English, for they are compared. The locale that was asked for has to be there. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void enter_locale(void)
{
    if (setlocale(LC_ALL, "") && setlocale(LC_MESSAGES, "C"))
        return;
    fputs("set_locale: there is no such locale\n", stderr);
    _Exit(99);
}
