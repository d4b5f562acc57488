/* chiplet_kernel.c - see chiplet_kernel.h. */
#include "model/chiplets/chiplet_kernel.h"

#include "base/demangle.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the arguments of kernels");
}

int ws_chiplet_kernels_add(ws_chiplet_kernels *list, const char *name, uint64_t launch, uint32_t scheduled,
                           ws_chiplet_kernel **out)
{
    if (WS_GROW(list->kernel, list->room, list->kernels, 1))
        return no_memory();
    char *const copy = strdup(name);
    if (!copy)
        return no_memory();
    *out = &list->kernel[list->kernels++];
    **out = (ws_chiplet_kernel){.name = copy, .launch = launch, .scheduled = scheduled, .known = true};
    return WS_OK;
}

int ws_chiplet_kernel_add(ws_chiplet_kernel *k, const ws_chiplet_argument *argument)
{
    if (WS_GROW(k->argument, k->room, k->arguments, 1))
        return no_memory();
    k->argument[k->arguments++] = *argument;
    return WS_OK;
}

/* Numbers of launches rise. */
const ws_chiplet_kernel *ws_chiplet_kernels_find(const ws_chiplet_kernels *list, uint64_t launch)
{
    size_t from = 0, to = list->kernels;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (list->kernel[middle].launch == launch)
            return &list->kernel[middle];
        if (list->kernel[middle].launch < launch)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

bool ws_chiplet_kernel_is(const ws_chiplet_kernel *k, const char *mangled)
{
    char *const name = ws_demangle(mangled);
    const size_t length = strlen(k->name);
    const bool same = !strcmp(k->name, mangled) || (name && !strncmp(name, k->name, length) &&
                                                    (!name[length] || name[length] == '(' || name[length] == '<'));
    free(name);
    return same;
}

void ws_chiplet_kernels_fini(ws_chiplet_kernels *list)
{
    for (size_t i = 0; i < list->kernels; i++) {
        free(list->kernel[i].name);
        free(list->kernel[i].argument);
    }
    free(list->kernel);
    *list = (ws_chiplet_kernels){0};
}

ws_address_range ws_chiplet_argument_range(const ws_chiplet_kernel *k, const ws_chiplet_argument *a, uint32_t chiplet)
{
    if (!(k->scheduled >> chiplet & 1))
        return WS_NO_ADDRESSES;
    return a->ranged ? a->range[chiplet] : a->whole;
}

/* Of blocks and chiplets the products fit: a grid has fewer than 2^59 blocks. */
uint64_t ws_chiplet_first_block(uint32_t chiplet, uint64_t blocks, uint32_t chiplets)
{
    return blocks / chiplets * chiplet + blocks % chiplets * chiplet / chiplets;
}

uint32_t ws_chiplet_of_block(uint64_t block, uint64_t blocks, uint32_t chiplets)
{
    uint32_t chiplet = blocks >= chiplets ? (uint32_t)(block / (blocks / chiplets + 1)) : 0;
    while (chiplet + 1 < chiplets && block >= ws_chiplet_first_block(chiplet + 1, blocks, chiplets))
        chiplet++;
    return chiplet;
}

uint32_t ws_chiplet_schedule(uint64_t blocks, uint32_t chiplets)
{
    uint32_t scheduled = 0;
    for (uint32_t i = 0; i < chiplets; i++)
        if (ws_chiplet_first_block(i, blocks, chiplets) < ws_chiplet_first_block(i + 1, blocks, chiplets))
            scheduled |= 1u << i;
    return scheduled;
}
