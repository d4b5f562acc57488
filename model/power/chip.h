/* chip.h - power constants of data/tech: of chips, of operations and wires, of memory parts. */
#ifndef WS_CHIP_H
#define WS_CHIP_H

#include "model/operation.h"

#include <stddef.h>

enum { WS_CHIP_LEVELS = 32, WS_CHIP_NAME = 64 };

/* Chip of data/tech/chip_*.ini: the rows of chip.def, a node, and a table of clocks and voltages. */
typedef struct ws_chip {
    char name[WS_CHIP_NAME]; /* of the file, without chip_ and .ini */
    char node[WS_CHIP_NAME]; /* of a file data/tech/node_*.ini: "12nm" */
#define FIELD(section, name, member, unit, least, most, meaning) double member;
#include "model/power/chip.def"
#undef FIELD
    size_t levels;
    struct {
        double clock_mhz, volts;
    } level[WS_CHIP_LEVELS]; /* both rising */
} ws_chip;

/* Energies of data/tech/energy.ini: the rows of energy.def, and pJ of each operation. */
typedef struct ws_energies {
    char node[WS_CHIP_NAME]; /* of all these energies */
#define FIELD(section, name, unit, least, most, meaning) double section##_##name;
#include "model/power/energy.def"
#undef FIELD
    double operation[WS_OPERATIONS];
} ws_energies;

/* Energies of section [energy] of data/tech/dram_*.ini, in units of memory_energy.def. */
typedef struct ws_memory_energies {
#define FIELD(name, unit, least, most, meaning) double name;
#include "model/power/memory_energy.def"
#undef FIELD
} ws_memory_energies;

/* WS_EINPUT with FILE:LINE:COLUMN for an unknown or missing entry, a missing unit or a value out of bounds; WS_EIO. */
int ws_chip_read(const char *path, ws_chip *out);
int ws_chip_parse(const char *file, const char *text, size_t length, ws_chip *out);
int ws_energies_read(const char *path, ws_energies *out);
int ws_energies_parse(const char *file, const char *text, size_t length, ws_energies *out);
int ws_memory_energies_read(const char *path, ws_memory_energies *out);
int ws_memory_energies_parse(const char *file, const char *text, size_t length, ws_memory_energies *out);

/* Interpolates the voltage of a core clock between the adjacent levels. WS_EINPUT outside the table. */
int ws_chip_volts(const ws_chip *chip, double clock_mhz, double *volts);

#endif
