/* supply_columns.c - where is the header of a table of measured data, and what do its columns hold? */
#include "model/control/supply_file_internal.h"

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME_BYTES = 64, UNIT_BYTES = 16 };
enum { EQUALS, BEGINS, CONTAINS };
enum {
    POWER = WS_SUPPLY_POWER,
    IRRADIANCE = WS_SUPPLY_IRRADIANCE,
    SPEED = WS_SUPPLY_SPEED,
    TEMPERATURE = WS_SUPPLY_TEMPERATURE,
    QUANTITIES = WS_SUPPLY_QUANTITIES
};

static const struct {
    int quantity, how;
    const char *word, *unit;
} known[] = {
#define COLUMN(quantity, how, word, unit) {quantity, how, word, unit},
#include "model/control/supply_columns.def"
};

static const char *const others[] = {
#define OTHER(word) word,
#include "model/control/supply_columns.def"
};

static const struct {
    int quantity;
    const char *unit;
    double factor;
} units[] = {
#define UNIT(quantity, unit, factor) {quantity, unit, factor},
#include "model/control/supply_columns.def"
};

static const struct {
    const char *unit;
    double seconds;
} time_units[] = {
#define TIME_UNIT(unit, seconds) {unit, seconds},
#include "model/control/supply_columns.def"
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const expected_units[] = {
    [POWER] = "W, kW or MW", [IRRADIANCE] = "W/m^2 or kW/m^2", [SPEED] = "m/s or mph", [TEMPERATURE] = "C"};

size_t ws_supply_split(const char *line, size_t length, char delimiter, ws_cell *cells)
{
    size_t count = 0;
    for (size_t at = 0; count < WS_SUPPLY_CELLS;) {
        size_t end = at;
        bool quoted = false;
        for (; end < length && (quoted || line[end] != delimiter); end++)
            quoted ^= line[end] == '"';
        size_t from = at, to = end;
        while (from < to && strchr(" \t\r\"", line[from]))
            from++;
        while (to > from && strchr(" \t\r\"", line[to - 1]))
            to--;
        cells[count++] = (ws_cell){line + from, to - from, from + 1};
        if (end == length)
            break;
        at = end + 1;
    }
    return count;
}

/* A header cell: its name squeezed, its unit as the tables write it ("" for none). */
typedef struct label {
    char name[NAME_BYTES], unit[UNIT_BYTES];
    bool unit_cut; /* the unit is longer than any that is known */
} label;

static void squeeze(const char *text, size_t length, char name[NAME_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < NAME_BYTES; i++) {
        const char c = text[i];
        if (c != ' ' && c != '_' && c != '-')
            name[used++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    name[used] = '\0';
}

static void read_unit(const char *text, size_t length, label *l)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        const bool squared = i + 1 < length && text[i] == '\xc2' && text[i + 1] == '\xb2'; /* a raised 2 in UTF-8 */
        const char c = squared ? '2' : text[i];
        i += squared;
        if (c == ' ' || c == '^')
            continue;
        if (used + 1 == UNIT_BYTES)
            l->unit_cut = true;
        else
            l->unit[used++] = c;
    }
    l->unit[used] = '\0';
}

static double seconds_of(const char *unit)
{
    for (size_t i = 0; i < COUNT(time_units); i++)
        if (!strcmp(unit, time_units[i].unit))
            return time_units[i].seconds;
    return 0;
}

static double factor_of(int quantity, const char *unit)
{
    for (size_t i = 0; i < COUNT(units); i++)
        if (units[i].quantity == quantity && !strcmp(unit, units[i].unit))
            return units[i].factor;
    return 0;
}

static bool is_any_unit(const char *unit)
{
    bool is = seconds_of(unit) > 0;
    for (int q = 0; !is && q < QUANTITIES; q++)
        is = q != TEMPERATURE && factor_of(q, unit) > 0;
    return is;
}

/* `name [unit]`, `name (unit)` or, for a known unit, `name_unit`. */
static label read_label(ws_cell cell)
{
    label l = {0};
    size_t open = cell.length;
    const char last = cell.length ? cell.text[cell.length - 1] : 0;
    if (last == ']' || last == ')')
        for (open = cell.length - 1; open && cell.text[open] != (last == ']' ? '[' : '(');)
            open--;
    if (open < cell.length)
        read_unit(cell.text + open + 1, cell.length - open - 2 < cell.length ? cell.length - open - 2 : 0, &l);
    const char *const line = memrchr(cell.text, '_', cell.length);
    if (open == cell.length && line) {
        const size_t at = (size_t)(line - cell.text);
        read_unit(line + 1, cell.length - at - 1, &l);
        if (is_any_unit(l.unit))
            open = at;
        else
            l.unit[0] = '\0', l.unit_cut = false;
    }
    squeeze(cell.text, open, l.name);
    return l;
}

static bool fits(const char *name, int how, const char *word)
{
    return how == EQUALS   ? !strcmp(name, word)
           : how == BEGINS ? !strncmp(name, word, strlen(word))
                           : strstr(name, word) != NULL;
}

/* Row of `known`, or that of power for a unit of power; NONE. */
static size_t recognise(const label *l)
{
    for (size_t i = 0; i < COUNT(others); i++)
        if (strstr(l->name, others[i]))
            return WS_SUPPLY_NONE;
    for (size_t i = 0; i < COUNT(known); i++)
        if (fits(l->name, known[i].how, known[i].word))
            return i;
    return factor_of(POWER, l->unit) > 0 ? COUNT(known) - 1 : WS_SUPPLY_NONE;
}
_Static_assert(WS_SUPPLY_POWER == 0, "the last row of known is that of power");

static bool is_word(const label *l, const char *word)
{
    return !strcmp(l->name, word);
}

static bool find_time(const label *labels, size_t count, ws_supply_header *h)
{
    static const char *const parts[] = {"year", "month", "day", "hour", "minute", "second"};
    static const char *const stamps[] = {"time", "timestamp", "datetime", "date/time", "localtime"};
    size_t found[WS_SUPPLY_TIME_PARTS];
    for (size_t p = 0; p < WS_SUPPLY_TIME_PARTS; p++) {
        found[p] = WS_SUPPLY_NONE;
        for (size_t i = count; i-- > 0;)
            if (is_word(&labels[i], parts[p]) && !*labels[i].unit)
                found[p] = i;
    }
    memcpy(h->time, found, sizeof found);
    h->clock = WS_SUPPLY_PARTS;
    if (found[0] != WS_SUPPLY_NONE && found[1] != WS_SUPPLY_NONE && found[2] != WS_SUPPLY_NONE &&
        found[3] != WS_SUPPLY_NONE)
        return true;
    for (size_t i = 0; i < count; i++) {
        h->time[0] = i;
        h->clock = WS_SUPPLY_DATE;
        if (is_word(&labels[i], "date") && i + 1 < count &&
            (!strcmp(labels[i].unit, "MM/DD/YYYY") || is_word(&labels[i + 1], "time"))) {
            h->time[1] = i + 1;
            return true;
        }
        h->clock = WS_SUPPLY_STAMP;
        for (size_t s = 0; s < COUNT(stamps); s++)
            if (is_word(&labels[i], stamps[s]) && !*labels[i].unit)
                return true;
        h->clock = WS_SUPPLY_NUMBER;
        h->time_scale = is_word(&labels[i], "hour") && !*labels[i].unit ? 3600 : seconds_of(labels[i].unit);
        if (h->time_scale > 0 &&
            (is_word(&labels[i], "time") || is_word(&labels[i], "hour") || is_word(&labels[i], "t")))
            return true;
    }
    return false;
}

typedef struct search {
    const char *file;
    const ws_supply_line *lines; /* those above the header are lines[0..header) */
    size_t header;
    ws_cell cells[WS_SUPPLY_CELLS], above[WS_SUPPLY_CELLS], below[WS_SUPPLY_CELLS];
    label labels[WS_SUPPLY_CELLS];
    size_t count;
} search;

static char delimiter_of(const ws_supply_line *line)
{
    static const char choice[] = ",;\t";
    size_t most = 0, best = 0;
    for (size_t c = 0; c < 3; c++) {
        size_t n = 0;
        for (size_t i = 0; i < line->length; i++)
            n += line->text[i] == choice[c];
        if (n > most) {
            most = n;
            best = c;
        }
    }
    return choice[best];
}

static int fail_at(const search *s, size_t cell, const char *text, const char *more)
{
    return ws_fail(WS_EINPUT, "%s:%d:%zu: column '%.*s' %s%s", s->file, s->lines[s->header].number,
                   s->cells[cell].column, (int)(s->cells[cell].length < 60 ? s->cells[cell].length : 60),
                   s->cells[cell].text, text, more);
}

/* NSRDB says units in two lines above the header: names such as `GHI Units` and, under them, the values. */
static void look_above(search *s, label *l)
{
    char wanted[NAME_BYTES + 8];
    snprintf(wanted, sizeof wanted, "%sunits", l->name);
    for (size_t i = 0; i + 1 < s->header; i++) {
        const size_t n = ws_supply_split(s->lines[i].text, s->lines[i].length, delimiter_of(&s->lines[i]), s->above);
        const size_t m =
            ws_supply_split(s->lines[i + 1].text, s->lines[i + 1].length, delimiter_of(&s->lines[i]), s->below);
        for (size_t c = 0; c < n && c < m; c++) {
            char name[NAME_BYTES];
            squeeze(s->above[c].text, s->above[c].length, name);
            if (!strcmp(name, wanted) || !strcmp(name, l->name)) {
                read_unit(s->below[c].text, s->below[c].length, l);
                return;
            }
        }
    }
}

static int use(search *s, size_t cell, size_t row, ws_supply_header *h)
{
    const int quantity = known[row].quantity;
    label *const l = &s->labels[cell];
    if (!*l->unit)
        look_above(s, l);
    if (!*l->unit)
        strcpy(l->unit, known[row].unit);
    if (!*l->unit)
        return fail_at(s, cell, "has no unit; expected ", expected_units[quantity]);
    h->factor[quantity] = l->unit_cut ? 0 : factor_of(quantity, l->unit);
    if (h->factor[quantity] <= 0) {
        char text[64];
        snprintf(text, sizeof text, "has the unit '%s'; expected ", l->unit);
        return fail_at(s, cell, text, expected_units[quantity]);
    }
    h->at[quantity] = cell;
    const size_t used = strlen(h->columns);
    snprintf(h->columns + used, sizeof h->columns - used, "%s%.*s", used ? ", " : "", (int)s->cells[cell].length,
             s->cells[cell].text);
    return WS_OK;
}

/* `Avg Wind Speed @ 6ft`, `wind speed at 100m` */
static double height_of(const label *l)
{
    const char *at = strchr(l->name, '@');
    const char *const word = strstr(l->name, "speedat");
    at = at ? at + 1 : word ? word + 7 : NULL;
    if (!at)
        return 0;
    double height = 0;
    const size_t digits = strspn(at, "0123456789.");
    if (!digits || ws_text_to_double(at, digits, &height))
        return 0;
    return !strcmp(at + digits, "ft") ? height * 0.3048 : !strcmp(at + digits, "m") ? height : 0;
}

static size_t first_of(const search *s, int quantity, size_t *row)
{
    for (size_t i = 0; i < s->count; i++) {
        *row = recognise(&s->labels[i]);
        if (*row != WS_SUPPLY_NONE && known[*row].quantity == quantity)
            return i;
    }
    return WS_SUPPLY_NONE;
}

static int choose_named(search *s, const char *wanted, ws_supply_header *h)
{
    for (size_t i = 0; i < s->count; i++) {
        if (strlen(wanted) != s->cells[i].length || strncasecmp(wanted, s->cells[i].text, s->cells[i].length))
            continue;
        size_t row = COUNT(known);
        for (size_t k = 0; row == COUNT(known) && k < COUNT(known); k++)
            if (fits(s->labels[i].name, known[k].how, known[k].word))
                row = k;
        for (int q = 0; row == COUNT(known) && q < TEMPERATURE; q++) /* an unusual name, but a unit that tells */
            for (size_t k = 0; factor_of(q, s->labels[i].unit) > 0 && k < COUNT(known); k++)
                row = known[k].quantity == q ? k : row;
        if (row == COUNT(known) || known[row].quantity == TEMPERATURE)
            return fail_at(s, i, "is neither power (W, kW, MW) nor irradiance (W/m^2) nor wind speed (m/s, mph)", "");
        return use(s, i, row, h);
    }
    return ws_fail(WS_EINPUT, "%s:%d: no column is called '%s'", s->file, s->lines[s->header].number, wanted);
}

static int choose(search *s, const ws_supply_options *options, ws_supply_header *h)
{
    for (int q = 0; q < QUANTITIES; q++)
        h->at[q] = WS_SUPPLY_NONE;
    int rc = WS_OK;
    size_t row;
    if (options->column)
        rc = choose_named(s, options->column, h);
    else {
        int used = 0;
        for (int q = POWER; !rc && q <= SPEED; q++) {
            const size_t cell = first_of(s, q, &row);
            if (cell == WS_SUPPLY_NONE || (used && !(options->hybrid && h->at[POWER] == WS_SUPPLY_NONE)))
                continue;
            rc = use(s, cell, row, h);
            used++;
        }
        if (!rc && !used)
            return ws_fail(WS_EINPUT,
                           "%s:%d: no column of power (W, kW, MW), irradiance (W/m^2) or wind speed (m/s, mph)",
                           s->file, s->lines[s->header].number);
    }
    const size_t cell = first_of(s, TEMPERATURE, &row);
    if (!rc && h->at[IRRADIANCE] != WS_SUPPLY_NONE && cell != WS_SUPPLY_NONE)
        rc = use(s, cell, row, h);
    if (!rc && h->at[SPEED] != WS_SUPPLY_NONE)
        h->height_m = height_of(&s->labels[h->at[SPEED]]);
    return rc;
}

int ws_supply_find_header(const char *file, const ws_supply_line *lines, size_t count, const ws_supply_options *options,
                          ws_supply_header *header, size_t *index)
{
    search s;
    s.file = file;
    s.lines = lines;
    for (s.header = 0; s.header < count; s.header++) {
        memset(header, 0, sizeof *header);
        header->file = file;
        header->line = lines[s.header].number;
        header->delimiter = delimiter_of(&lines[s.header]);
        s.count = ws_supply_split(lines[s.header].text, lines[s.header].length, header->delimiter, s.cells);
        for (size_t i = 0; i < s.count; i++)
            s.labels[i] = read_label(s.cells[i]);
        if (find_time(s.labels, s.count, header)) {
            *index = s.header;
            return choose(&s, options, header);
        }
    }
    return ws_fail(WS_EINPUT,
                   "%s:1:1: no header with a time in the first %d lines; expected columns such as time_s,power_w or "
                   "Year,Month,Day,Hour,Minute,GHI",
                   file, WS_SUPPLY_HEAD);
}
