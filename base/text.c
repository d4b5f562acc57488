/* text.c - which decimal digits does a double need, and which double does a text mean? */
#include "base/text.h"

#include "base/c_locale.h"
#include "base/status.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_MOST 0x1p53 /* whole numbers up to here are exact, and written without an exponent */

/* Reads text as the C locale does, whatever locale the program set. */
static double read_c(const char *text)
{
    char *const point = strchr(text, '.');
    const char *const decimal = localeconv()->decimal_point;
    if (!point || strcmp(decimal, ".") == 0)
        return strtod(text, NULL);
    *point = *decimal;
    const double value = strtod(text, NULL);
    *point = '.';
    return value;
}

size_t ws_text_from_double(double value, char text[WS_NUMBER_BYTES])
{
    if (isnan(value))
        return (size_t)snprintf(text, WS_NUMBER_BYTES, "NA");
    if (isinf(value))
        return (size_t)snprintf(text, WS_NUMBER_BYTES, value < 0 ? "-Inf" : "Inf");
    if (fabs(value) <= WHOLE_MOST && value == trunc(value))
        return (size_t)snprintf(text, WS_NUMBER_BYTES, "%.0f", value);
    /* Normal doubles with a short decimal need no more than DBL_DIG digits to show it; subnormals hold fewer. */
    size_t n = 0;
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        n = (size_t)snprintf(text, WS_NUMBER_BYTES, "%.*g", digits, value);
        const char decimal = *localeconv()->decimal_point;
        for (char *at = text; decimal != '.' && *at; at++)
            if (*at == decimal)
                *at = '.';
        if (read_c(text) == value)
            break;
    }
    return n;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Is the text the word, a word of letters alone, in any case? ASCII's cases: I and i are no pair in Turkish. */
static bool equals(const char *text, size_t length, const char *word)
{
    size_t n = 0;
    while (n < length && word[n] && (text[n] | 0x20) == (word[n] | 0x20))
        n++;
    return n == length && !word[n];
}

/* Missing values and infinities by name. */
static bool read_word(const char *text, size_t length, double *value)
{
    if (length == 0 || equals(text, length, "NA") || equals(text, length, "NaN")) {
        *value = NAN;
        return true;
    }
    const bool sign = text[0] == '-' || text[0] == '+';
    if (!equals(text + sign, length - sign, "Inf") && !equals(text + sign, length - sign, "Infinity"))
        return false;
    *value = text[0] == '-' ? -INFINITY : INFINITY;
    return true;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* [+-] digits [. digits] [e [+-] digits], a digit before or behind the point;
 * strtod alone would take hexadecimal too. */
static bool is_decimal(const char *at, size_t length)
{
    const char *const end = at + length;
    at += at < end && (*at == '-' || *at == '+');
    const char *const whole = at;
    at = skip_digits(at, end);
    size_t digits = (size_t)(at - whole);
    if (at < end && *at == '.') {
        const char *const fraction = ++at;
        at = skip_digits(at, end);
        digits += (size_t)(at - fraction);
    }
    if (digits == 0 || at == end)
        return digits > 0;
    if (*at != 'e' && *at != 'E')
        return false;
    at++;
    at += at < end && (*at == '-' || *at == '+');
    return at < end && skip_digits(at, end) == end;
}

int ws_text_to_double(const char *text, size_t length, double *value)
{
    for (; length && (*text == ' ' || *text == '\t'); length--)
        text++;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (read_word(text, length, value))
        return WS_OK;
    if (!is_decimal(text, length))
        return WS_EINPUT;
    char small[128];
    char *const copy = length < sizeof small ? small : malloc(length + 1);
    if (!copy)
        return WS_EMEM;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = read_c(copy);
    if (copy != small)
        free(copy);
    return isinf(*value) ? WS_EINPUT : WS_OK;
}

int ws_text_to_quantity(const char *text, double *number, const char **unit)
{
    const size_t length = strspn(text, "+-.0123456789eE");
    if (!length || ws_text_to_double(text, length, number))
        return WS_EINPUT;
    *unit = text + length + strspn(text + length, " \t");
    return WS_OK;
}

int ws_text_to_size(const char *text, size_t max, size_t *value)
{
    size_t sum = 0;
    if (!*text)
        return WS_EINPUT;
    for (; *text; text++) {
        const size_t digit = (size_t)(*text - '0');
        if (!is_digit(*text) || digit > max || sum > (max - digit) / 10)
            return WS_EINPUT;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return WS_OK;
}

char *ws_text_stem(const char *path)
{
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    const char *const dot = strrchr(base, '.');
    return strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

void ws_text_count(char *text, size_t size, double value, const char *unit)
{
    const locale_t before = ws_c_locale_enter();
    static const char prefixes[] = " kMGTPE";
    size_t prefix = 0;
    while (value >= 999.5 && prefixes[prefix + 1]) {
        value /= 1000;
        prefix++;
    }
    if (prefix)
        snprintf(text, size, "%.3g %c%s", value, prefixes[prefix], unit);
    else
        snprintf(text, size, "%.0f%s%s", value, *unit ? " " : "", unit);
    ws_c_locale_leave(before);
}
