/* c_locale.c - how does a library print a decimal point, whatever the program set? */
#include "base/c_locale.h"

#include <stdatomic.h>

/* Made once, never freed: threads may be in it when the process ends. */
static _Atomic(locale_t) c_locale;

static locale_t get_c_locale(void)
{
    locale_t have = atomic_load_explicit(&c_locale, memory_order_acquire);
    if (have)
        return have;
    const locale_t made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!made || atomic_compare_exchange_strong(&c_locale, &have, made))
        return made;
    freelocale(made);
    return have;
}

locale_t ws_c_locale_enter(void)
{
    return uselocale(get_c_locale()); /* 0, when memory is short, changes nothing */
}

void ws_c_locale_leave(locale_t before)
{
    uselocale(before);
}
