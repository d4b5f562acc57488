/* card.c - what do forms of PTX instructions give on whatever libcuda.so.1 leads to, a card or our engine?
 * usage: card BUNDLE [NAME...]
 *
 * Prints a line for each form: its name, the hash of its results with all NaNs as one, and where there are NaNs the
 * hash of their bits; or its name, `error` and the driver's number. With names: the kernels of these forms and what
 * each thread got and gave. README.md beside it says what is in a bundle. */
#include "card.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Forms that become one module together: an assembler takes long to begin. */
enum { GROUP = 24 };

static CUdevice device;

static void begin(void)
{
    CUcontext context;
    CUresult status = cuInit(0);
    if (!status)
        status = cuDeviceGet(&device, 0);
    if (!status)
        status = cuDevicePrimaryCtxRetain(&context, device);
    if (!status)
        status = cuCtxSetCurrent(context);
    if (status)
        card_die("no device: error %d", status);
}

/* A context is of no use after a fault of a kernel. */
static void begin_again_after(CUresult status)
{
    if (status < 700 || status >= 730)
        return;
    cuDevicePrimaryCtxReset(device);
    begin();
}

static CUresult load(CUmodule *module, const card_bundle *bundle, const card_form *forms, size_t count)
{
    size_t length = bundle->head_length;
    for (size_t i = 0; i < count; i++)
        length += forms[i].length;
    char *text = card_allocate(length + 1, 1), *at = mempcpy(text, bundle->text, bundle->head_length);
    for (size_t i = 0; i < count; i++)
        at = mempcpy(at, forms[i].text, forms[i].length);
    const CUresult status = cuModuleLoadDataEx(module, text, 0, NULL, NULL);
    free(text);
    return status;
}

static CUresult launch(const card_form *form, CUfunction kernel, CUdeviceptr inputs, CUdeviceptr outputs)
{
    CUarray array = NULL;
    CUtexObject texture = 0;
    CUresult status = *form->texture == '-' ? 0 : card_texture_create(form->texture, &array, &texture);
    const unsigned block = form->threads < 128 ? (unsigned)form->threads : 128;
    void *parameters[] = {&inputs, &outputs, &texture};
    if (!status)
        status =
            cuLaunchKernel(kernel, (unsigned)(form->threads / block), 1, 1, block, 1, 1, 0, NULL, parameters, NULL);
    if (!status)
        status = cuCtxSynchronize();
    if (texture)
        cuTexObjectDestroy(texture);
    if (array)
        cuArrayDestroy(array);
    return status;
}

static CUresult run_on(const card_form *form, CUfunction kernel, const uint64_t *inputs, uint64_t *results)
{
    const size_t in_bytes = form->threads * form->inputs.count * 8, out_bytes = form->threads * form->outputs.count * 8;
    CUdeviceptr in = 0, out = 0;
    CUresult status = cuMemAlloc(&in, in_bytes + 64);
    if (!status)
        status = cuMemAlloc(&out, out_bytes + 64);
    if (!status && in_bytes)
        status = cuMemcpyHtoD(in, inputs, in_bytes);
    if (!status)
        status = cuMemsetD8(out, 0xcd, out_bytes);
    if (!status)
        status = launch(form, kernel, in, out);
    if (!status)
        status = cuMemcpyDtoH(results, out, out_bytes);
    cuMemFree(in);
    cuMemFree(out);
    return status;
}

static void show_words(const uint64_t *words, const card_form *form, unsigned count, size_t thread)
{
    for (unsigned j = 0; j < count; j++)
        printf(" %llx", (unsigned long long)words[j * form->threads + thread]);
}

static void show_lanes(const card_form *form, const uint64_t *inputs, const uint64_t *results)
{
    printf("%.*s", (int)form->length, form->text);
    for (size_t i = 0; i < form->threads; i++) {
        printf("%zu:", i);
        show_words(inputs, form, form->inputs.count, i);
        printf(" ->");
        show_words(results, form, form->outputs.count, i);
        putchar('\n');
    }
}

static void tell(const card_form *form, CUresult status, uint64_t *results)
{
    char hash[40];
    if (status) {
        printf("%s error %d\n", form->name, status);
        return;
    }
    card_hash(form, results, hash, sizeof hash);
    printf("%s %s\n", form->name, hash);
}

static CUresult run_form(const card_form *form, CUmodule module, bool lanes)
{
    char name[sizeof form->name + 2];
    CUfunction kernel;
    snprintf(name, sizeof name, "k_%s", form->name);
    uint64_t *inputs = card_inputs(form);
    uint64_t *results = card_allocate(form->threads * form->outputs.count, sizeof *results);
    CUresult status = cuModuleGetFunction(&kernel, module, name);
    if (!status)
        status = run_on(form, kernel, inputs, results);
    if (!status && lanes)
        show_lanes(form, inputs, results);
    tell(form, status, results);
    free(inputs);
    free(results);
    begin_again_after(status);
    return status;
}

/* In a module of its own. */
static void run_alone(const card_bundle *bundle, const card_form *form, bool lanes)
{
    CUmodule module;
    CUresult status = load(&module, bundle, form, 1);
    if (status) {
        tell(form, status, NULL);
        begin_again_after(status);
        return;
    }
    status = run_form(form, module, lanes);
    if (status < 700)
        cuModuleUnload(module);
}

/* If one of them does not load, or a kernel faults, those that are left have a module each. */
static void run_group(const card_bundle *bundle, const card_form *forms, size_t count)
{
    CUmodule module;
    size_t done = 0;
    CUresult status = load(&module, bundle, forms, count);
    begin_again_after(status);
    while (!status && done < count) {
        status = run_form(&forms[done++], module, false);
        if (status < 700)
            status = 0;
    }
    if (done == count && !status)
        cuModuleUnload(module);
    for (; done < count; done++)
        run_alone(bundle, &forms[done], false);
}

static void run_named(const card_bundle *bundle, const char *name)
{
    for (size_t i = 0; i < bundle->count; i++) {
        if (!strcmp(bundle->forms[i].name, name)) {
            run_alone(bundle, &bundle->forms[i], true);
            return;
        }
    }
    card_die("no form %s", name);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        card_die("usage: card BUNDLE [NAME...]");
    card_bundle bundle;
    card_bundle_read(&bundle, argv[1]);
    begin();
    for (int i = 2; i < argc; i++)
        run_named(&bundle, argv[i]);
    for (size_t i = 0; argc == 2 && i < bundle.count; i += GROUP)
        run_group(&bundle, bundle.forms + i, bundle.count - i < GROUP ? bundle.count - i : GROUP);
    free(bundle.forms);
    free(bundle.text);
    return 0;
}
