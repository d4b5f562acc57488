/* fatbin_load.c - which image is taken, and the module that it becomes. */
#include "collect/fatbin/fatbin_internal.h"
#include "collect/ptx/module.h"

#include <stdio.h>
#include <stdlib.h>

/* "sm_75, sm_86" for the images of a kind in a part; "" when there is none. */
static void architectures(const ws_fatbin *f, uint32_t part, unsigned kind, const char *prefix, char *text, size_t room)
{
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < f->images && n < room; i++) {
        const ws_fatbin_image *const image = &f->image[i];
        if (image->part == part && image->kind == kind)
            n += (size_t)snprintf(text + n, room - n, "%s%s%u", n ? ", " : "", prefix, image->architecture);
    }
}

/* The headers of old containers tell no version, those of linked modules (driver_link.c) nothing: there the text tells.
 */
static bool is_known(const ws_fatbin_image *image)
{
    return !image->architecture ||
           ws_ptx_is_known(image->version_major ? image->version_major : 1, image->architecture);
}

/* What a part without a PTX image that would do has instead, and what to do about it. */
static int no_ptx(const ws_fatbin *f, uint32_t part, uint32_t most)
{
    char ptx[256], cubin[256], lto[256], where[48] = "";
    const ws_fatbin_image *newest = NULL;
    bool has_known = false;
    for (uint32_t i = 0; i < f->images; i++) {
        const ws_fatbin_image *const image = &f->image[i];
        if (image->part != part || image->kind != WS_FATBIN_PTX)
            continue;
        has_known |= is_known(image);
        newest = !newest || image->version_major > newest->version_major ? image : newest;
    }
    architectures(f, part, WS_FATBIN_PTX, "compute_", ptx, sizeof ptx);
    architectures(f, part, WS_FATBIN_CUBIN, "sm_", cubin, sizeof cubin);
    architectures(f, part, WS_FATBIN_LTO, "compute_", lto, sizeof lto);
    if (f->parts > 1)
        snprintf(where, sizeof where, "linked container %u: ", part);
    if (*ptx && !has_known)
        return ws_fail(WS_EUNSUPPORTED,
                       "%s: %sexpected PTX of version %d.x or older for a target up to sm_%u, found %s of version "
                       "%u.%u; build it for a "
                       "target that is known, such as nvcc -gencode arch=compute_75,code=compute_75",
                       f->name, where, WS_PTX_NEWEST_MAJOR, ws_ptx_newest_target(), ptx, newest->version_major,
                       newest->version_minor);
    if (*ptx)
        return ws_fail(WS_EUNSUPPORTED, "%s: %sexpected PTX for an architecture up to %u, found %s; allow a higher one",
                       f->name, where, most, ptx);
    static const char rebuild[] = "build it with PTX, such as nvcc -gencode arch=compute_75,code=compute_75";
    if (!*cubin && !*lto)
        return ws_fail(WS_EUNSUPPORTED, "%s: %sexpected PTX, found no image; %s", f->name, where, rebuild);
    return ws_fail(WS_EUNSUPPORTED, "%s: %sexpected PTX, found only %s%s%s%s%s; %s", f->name, where,
                   *cubin ? "machine code (cubin) for " : "", cubin, *cubin && *lto ? " and " : "",
                   *lto ? "code for link-time optimisation of " : "", lto, rebuild);
}

int ws_fatbin_choose(const ws_fatbin *f, uint32_t part, uint32_t most, const ws_fatbin_image **out)
{
    const ws_fatbin_image *best = NULL;
    for (uint32_t i = 0; i < f->images; i++) {
        const ws_fatbin_image *const image = &f->image[i];
        if (image->part == part && image->kind == WS_FATBIN_PTX && is_known(image) &&
            (!most || image->architecture <= most) && (!best || image->architecture > best->architecture))
            best = image;
    }
    *out = best;
    return best ? WS_OK : no_ptx(f, part, most);
}

static int parse_part(const ws_fatbin *f, uint32_t part, uint32_t most, ws_module **out)
{
    const ws_fatbin_image *image;
    char *text, name[320];
    size_t length;
    int status = ws_fatbin_choose(f, part, most, &image);
    if (status == WS_OK)
        status = ws_fatbin_unpack(f, image, &text, &length);
    if (status)
        return status;
    if (image->flags & WS_FATBIN_FLAG_PART)
        snprintf(name, sizeof name, "%s", image->identifier);
    else if (f->parts > 1)
        snprintf(name, sizeof name, "%s[%u]", f->name, part);
    else
        snprintf(name, sizeof name, "%s", f->name);
    status = ws_ptx_parse(name, text, length, out);
    free(text);
    return status;
}

/* NVIDIA's device runtime (libcudadevrt.a), by which kernels launch kernels, is linked in as a module of its own. It
 * leans on undocumented parts of a driver: kernels that call it are refused when they are launched, by the name that
 * they call. */
static bool is_device_runtime(const ws_module *module)
{
    static const char *const names[] = {"cudaGetParameterBufferV2",
                                        "__cudaCDP2GetParameterBufferV2"}; /* before 12, and since */
    for (unsigned i = 0; i < 2; i++) {
        const ws_function *const f = ws_module_function(module, names[i]);
        if (f && f->has_body)
            return true;
    }
    return false;
}

/* All parts but the device runtime, which has PTX for one architecture only and so ignores `most`. */
static int parse_parts(const ws_fatbin *f, uint32_t most, ws_module **module, uint32_t *n)
{
    for (uint32_t part = 0; part < f->parts; part++) {
        const ws_fatbin_image *image;
        ws_module *m = NULL;
        const int allowed = ws_fatbin_choose(f, part, most, &image);
        const int status = parse_part(f, part, allowed ? 0 : most, &m);
        if (status)
            return status;
        if (is_device_runtime(m)) {
            ws_module_destroy(m);
        } else if (allowed) {
            ws_module_destroy(m);
            return ws_fatbin_choose(f, part, most, &image);
        } else {
            module[(*n)++] = m;
        }
    }
    return *n ? WS_OK
              : ws_fail(WS_EUNSUPPORTED, "%s: expected modules to link, found only the device runtime", f->name);
}

static int load_linked(const ws_fatbin *f, uint32_t most, ws_module **out)
{
    ws_module **const module = calloc(f->parts, sizeof(ws_module *));
    uint32_t n = 0;
    if (!module)
        return ws_fail(WS_EMEM, "%s: out of memory", f->name);
    int status = parse_parts(f, most, module, &n);
    if (status == WS_OK)
        status = ws_ptx_link(f->name, module, n, NULL, out);
    else
        while (n)
            ws_module_destroy(module[--n]);
    free(module);
    return status;
}

int ws_fatbin_load(const ws_fatbin *f, uint32_t most, ws_module **out)
{
    *out = NULL;
    return f->linked ? load_linked(f, most, out) : parse_part(f, 0, most, out);
}
