/* fuzz_fatbin.c - can any bytes break the reader of fat binaries, and is what it accepts in bounds? */
#include "base/status.h"
#include "collect/fatbin/fatbin.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Unpacking takes time in proportion to what a header claims; the fuzzer gets the cheap ones. */
enum { CHEAP_BYTES = 1 << 20 };

static void check_image(const ws_fatbin *f, const ws_fatbin_image *image, const uint8_t *data, size_t size)
{
    char *bytes;
    size_t length;
    require(image->part < f->parts && image->packing <= WS_FATBIN_ZSTD);
    require(image->payload >= data && image->stored_bytes <= size - (size_t)(image->payload - data));
    require(strlen(image->identifier) + strlen(image->options) <= size);
    if (image->bytes > CHEAP_BYTES && image->bytes <= UINT64_C(1) << 29)
        return;
    if (ws_fatbin_unpack(f, image, &bytes, &length) != WS_OK)
        return;
    require(length == image->bytes && bytes[length] == '\0');
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_fatbin *f;
    /* A wrapper holds addresses, which a file cannot. */
    if (size >= 4 && ws_fatbin_begins(data) && data[0] == 0xb1)
        return 0;
    if (!size || ws_fatbin_open("fuzz", data, size, &f) != WS_OK) {
        require(!size || strstr(ws_message(), "fuzz: "));
        return 0;
    }
    bool cheap = true;
    for (uint32_t i = 0; i < f->images; i++) {
        check_image(f, &f->image[i], data, size);
        cheap &= f->image[i].bytes <= CHEAP_BYTES;
    }
    ws_module *module = NULL;
    if (cheap && ws_fatbin_load(f, 0, &module) == WS_OK)
        ws_module_destroy(module);
    ws_fatbin_close(f);
    return 0;
}
