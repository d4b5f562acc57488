/* fuzz_image.c - can any bytes that a program registers as its fat binary break the reader, which is not told their
 * size? They end where memory does. A wrapper holds addresses: those in the input are offsets into it where they can
 * be, and lead nowhere otherwise. (Wild ones may hit memory of the sanitizer's, which can be read, but not by code that
 * it checks.) */
#include "base/status.h"
#include "collect/fatbin/fatbin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHEAP_BYTES = 1 << 20, WRAPPER_BYTES = 24 };
#define NOWHERE (UINT64_C(1) << 63)

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Makes an address of the offset that stands at `at`. */
static uint64_t place(uint8_t *image, size_t size, uint64_t at)
{
    uint64_t value;
    if (at > size || size - at < sizeof value)
        return 0;
    memcpy(&value, image + at, sizeof value);
    const uint64_t offset = value;
    if (value)
        value = value < size ? value + (uint64_t)(uintptr_t)image : value | NOWHERE;
    memcpy(image + at, &value, sizeof value);
    return offset;
}

static void place_addresses(uint8_t *image, size_t size)
{
    (void)place(image, size, 8);
    const uint64_t list = place(image, size, 16), nowhere = NOWHERE;
    if (list && list < WRAPPER_BYTES) /* its entries would be what has been placed */
        memcpy(image + 16, &nowhere, sizeof nowhere);
    for (uint64_t at = list; list >= WRAPPER_BYTES && place(image, size, at); at += 8)
        continue;
}

static void read_image(const void *image)
{
    ws_fatbin *f;
    if (!ws_fatbin_begins(image))
        return;
    if (ws_fatbin_open("fuzz", image, 0, &f) != WS_OK) {
        require(strstr(ws_message(), "fuzz: ") != NULL);
        return;
    }
    bool cheap = true;
    for (uint32_t i = 0; i < f->images; i++) {
        require(f->image[i].part < f->parts && strlen(f->image[i].identifier) + strlen(f->image[i].options) < SIZE_MAX);
        cheap &= f->image[i].bytes <= CHEAP_BYTES;
    }
    ws_module *module = NULL;
    if (cheap && ws_fatbin_load(f, 0, &module) == WS_OK)
        ws_module_destroy(module);
    ws_fatbin_close(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    if (size < 4) /* a text ends with NUL */
        return 0;
    uint8_t *const map = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(map != MAP_FAILED && !mprotect(map + room, page, PROT_NONE));
    uint8_t *const image = map + (room - size);
    memcpy(image, data, size);
    if (size >= WRAPPER_BYTES && image[0] == 0xb1)
        place_addresses(image, size);
    read_image(image);
    munmap(map, room + page);
    return 0;
}
