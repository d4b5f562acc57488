/* fatbin_internal.h - numbers in fat binaries (little endian, unaligned), and a check for readable memory. */
#ifndef WS_FATBIN_INTERNAL_H
#define WS_FATBIN_INTERNAL_H

#include "base/status.h"
#include "collect/fatbin/fatbin.h"

#include <string.h>

enum {
    WS_FATBIN_WRAPPER_MAGIC = 0x466243b1,
    WS_FATBIN_WRAPPER_BYTES = 24,
    WS_FATBIN_HEADER_BYTES = 16, /* of a container */
    WS_FATBIN_ENTRY_BYTES = 64   /* least size, of an image */
};
#define WS_FATBIN_MAGIC     0xba55ed50u

/* Private flag, far from nvcc's flags: the image is a separate part named by its identifier, to link with the others of
 * its container. */
#define WS_FATBIN_FLAG_PART (UINT64_C(1) << 63)

static inline uint16_t ws_fatbin_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t ws_fatbin_u32(const uint8_t *at)
{
    return ws_fatbin_u16(at) | (uint32_t)ws_fatbin_u16(at + 2) << 16;
}

static inline uint64_t ws_fatbin_u64(const uint8_t *at)
{
    return ws_fatbin_u32(at) | (uint64_t)ws_fatbin_u32(at + 4) << 32;
}

/* Returns whether this process can read at[0..bytes); asks the operating system without touching the memory. */
bool ws_memory_readable(const void *at, uint64_t bytes);

#endif
