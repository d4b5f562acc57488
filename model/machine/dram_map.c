/* dram_map.c - which channel, bank, row and column does an address mean? */
#include "model/machine/dram_part.h"

#include "base/status.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* What a bit can belong to. */
enum { CHANNEL, RANK, GROUP, BANK, ROW, COLUMN, BYTE, UNUSED, LETTERS };
static const char letters[LETTERS + 1] = "DKGBRCS0";
static const char *const names[] = {"channel", "rank", "bank group", "bank", "row", "column", "byte", "unused"};

static int log2_of(uint64_t power)
{
    int bits = 0;
    while (power >> bits > 1)
        bits++;
    return bits;
}

static int fail(const char *where, const char *text, size_t at, const char *what)
{
    return ws_fail(WS_EINPUT, "%s%saddress map '%s', character %zu: %s", where ? where : "", where ? ": " : "", text,
                   at + 1, what);
}

/* A number at text[*at]; moves behind it. 64 or more gives 64. */
static int read_number(const char *text, size_t *at)
{
    int number = 0;
    while (isdigit((unsigned char)text[*at]))
        number = number < 64 ? number * 10 + (text[(*at)++] - '0') : (int)((*at)++, 64);
    return number < 64 ? number : 64;
}

static int read_prefix(const char *text, const char *where, ws_dram_map *map, size_t *at)
{
    map->channel_at = -1;
    if (strncmp(text, "dramid@", 7))
        return WS_OK;
    *at = 7;
    map->channel_at = read_number(text, at);
    if (*at == 7 || map->channel_at > 62 || (text[*at] != ';' && text[*at] != ' '))
        return fail(where, text, 7, "expected a bit number below 63 and a semicolon or a blank, as in dramid@8;");
    (*at)++;
    return WS_OK;
}

/* Letters from the highest bit to the lowest into kinds[0..*count). */
static int read_letters(const char *text, const char *where, size_t at, uint8_t kinds[64], int *count)
{
    while (text[at]) {
        const size_t start = at;
        const char c = text[at++] == 'X' ? '0' : text[at - 1];
        if (c == '.' || c == ' ')
            continue;
        const char *const letter = strchr(letters, c);
        if (!letter)
            return fail(where, text, start, "expected D K G B R C S 0 X, a dot or *NUMBER after a letter");
        int times = 1;
        if (text[at] == '*') {
            at++;
            times = read_number(text, &at);
        }
        if (times < 1 || *count + times > 64)
            return fail(where, text, start, "expected 1 to 64 bits in all");
        while (times--)
            kinds[(*count)++] = (uint8_t)(letter - letters);
    }
    return WS_OK;
}

static int check_bits(const char *text, const char *where, const ws_dram_part *part, const ws_dram_map *map,
                      const int have[LETTERS])
{
    const uint64_t sizes[] = {map->channel_at < 0 ? map->channels : 1,
                              part->ranks,
                              part->bank_groups,
                              part->banks,
                              part->rows,
                              part->columns,
                              part->burst_bytes};
    for (int k = CHANNEL; k <= BYTE; k++) {
        const int need = log2_of(sizes[k]);
        if ((uint64_t)1 << need != sizes[k])
            return ws_fail(WS_EINPUT,
                           "%s%s%" PRIu32 " channels are no power of two; open the address map with "
                           "dramid@N and a blank",
                           where ? where : "", where ? ": " : "", map->channels);
        if (have[k] != need)
            return ws_fail(WS_EINPUT, "%s%saddress map '%s' has %d %s bits (%c), the part needs %d", where ? where : "",
                           where ? ": " : "", text, have[k], names[k], letters[k], need);
    }
    return WS_OK;
}

/* Maps in the words of GPGPU-Sim have no G: the high bank bits are the bank group. */
static void split_banks(const ws_dram_part *part, ws_dram_map *map, int have[LETTERS])
{
    const int groups = log2_of(part->bank_groups), banks = log2_of(part->banks);
    if (have[GROUP] || have[BANK] != groups + banks)
        return;
    for (int b = 0; b < map->bits; b++)
        if (map->letter[b] == BANK && map->bit[b] >= banks) {
            map->letter[b] = GROUP;
            map->bit[b] = (uint8_t)(map->bit[b] - banks);
        }
    have[GROUP] = groups;
    have[BANK] = banks;
}

int ws_dram_map_parse(const char *text, const char *where, const ws_dram_part *part, uint32_t channels,
                      ws_dram_map *map)
{
    memset(map, 0, sizeof *map);
    map->channels = channels;
    size_t at = 0;
    uint8_t kinds[64];
    int have[LETTERS] = {0};
    int rc = channels ? read_prefix(text, where, map, &at) : ws_fail(WS_EINPUT, "0 channels; expected at least 1");
    if (!rc)
        rc = read_letters(text, where, at, kinds, &map->bits);
    if (rc)
        return rc;
    for (int b = 0; b < map->bits; b++) {
        map->letter[b] = kinds[map->bits - 1 - b];
        map->bit[b] = (uint8_t)have[map->letter[b]]++;
    }
    split_banks(part, map, have);
    if (part->bank_xor) {
        map->group_mask = part->bank_groups - 1;
        map->bank_mask = part->banks - 1;
        map->group_bits = (uint8_t)log2_of(part->bank_groups);
    }
    return check_bits(text, where, part, map, have);
}

/* Its own inverse. */
static void combine_with_row(const ws_dram_map *map, uint64_t row, uint64_t *group, uint64_t *bank)
{
    *group ^= row & map->group_mask;
    *bank ^= row >> map->group_bits & map->bank_mask;
}

uint32_t ws_dram_map_place(const ws_dram_map *map, uint64_t address, ws_dram_place *place)
{
    uint64_t value[LETTERS] = {0};
    uint32_t channel = 0;
    if (map->channel_at >= 0) {
        const uint64_t above = address >> map->channel_at;
        channel = (uint32_t)(above % map->channels);
        address = (above / map->channels) << map->channel_at | (address & (((uint64_t)1 << map->channel_at) - 1));
    }
    for (int b = 0; b < map->bits; b++)
        value[map->letter[b]] |= (address >> b & 1) << map->bit[b];
    combine_with_row(map, value[ROW], &value[GROUP], &value[BANK]);
    *place = (ws_dram_place){(uint32_t)value[RANK], (uint32_t)value[GROUP], (uint32_t)value[BANK], (uint32_t)value[ROW],
                             (uint32_t)value[COLUMN]};
    return map->channel_at < 0 ? (uint32_t)value[CHANNEL] : channel;
}

uint64_t ws_dram_map_address(const ws_dram_map *map, uint32_t channel, const ws_dram_place *place)
{
    uint64_t value[LETTERS] = {
        map->channel_at < 0 ? channel : 0, place->rank, place->group, place->bank, place->row, place->column, 0, 0};
    uint64_t address = 0;
    combine_with_row(map, value[ROW], &value[GROUP], &value[BANK]);
    for (int b = 0; b < map->bits; b++)
        address |= (value[map->letter[b]] >> map->bit[b] & 1) << b;
    if (map->channel_at < 0)
        return address;
    const uint64_t low = address & (((uint64_t)1 << map->channel_at) - 1);
    return ((address >> map->channel_at) * map->channels + channel) << map->channel_at | low;
}
