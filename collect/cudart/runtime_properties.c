/* runtime_properties.c - what does the device say about itself? All of it comes from the driver's attributes. */
#include "collect/cudart/cudart_internal.h"

#include <string.h>

static int attribute(CUdevice_attribute which)
{
    int value = 0;
    cuDeviceGetAttribute(&value, which, 0);
    return value;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int device)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuDeviceGetAttribute(value, (CUdevice_attribute)which, device));
}

/* ------------------------------------------------------------------------------------------------ cudaDeviceProp */

typedef struct member {
    size_t offset, bytes, element_bytes;
    CUdevice_attribute attribute; /* 0: none */
    int constant;
} member;

#define ATTRIBUTE(name)               CU_DEVICE_ATTRIBUTE_##name, 0
#define CONSTANT(n)                   0, n
#define BY_HAND                       0, 0
#define MEMBER(form, type, name, ...) {offsetof(form, name), sizeof((form *)0)->name, sizeof(type), __VA_ARGS__},

/* The rows of each version, as in cudart.h. */
static const member members_11[] = {
#define PROPERTY_11_12(type, name, array, value) MEMBER(ws_properties_11, type, name, value)
#define PROPERTY_11_13(type, name, array, value) MEMBER(ws_properties_11, type, name, value)
#define PROPERTY_12(type, name, array, value)
#define PROPERTY_12_13(type, name, array, value)
#define PROPERTY_13(type, name, array, value)
#include "collect/cudart/cudart_properties.def"
#undef PROPERTY_11_12
#undef PROPERTY_11_13
#undef PROPERTY_12
#undef PROPERTY_12_13
};
static const member members_12[] = {
#define PROPERTY_11_12(type, name, array, value) MEMBER(ws_properties_12, type, name, value)
#define PROPERTY_11_13(type, name, array, value) MEMBER(ws_properties_12, type, name, value)
#define PROPERTY_12(type, name, array, value)    MEMBER(ws_properties_12, type, name, value)
#define PROPERTY_12_13(type, name, array, value) MEMBER(ws_properties_12, type, name, value)
#include "collect/cudart/cudart_properties.def"
#undef PROPERTY_11_12
#undef PROPERTY_11_13
#undef PROPERTY_12
#undef PROPERTY_12_13
#undef PROPERTY_13
};
static const member members_13[] = {
#define PROPERTY_11_12(type, name, array, value)
#define PROPERTY_11_13(type, name, array, value) MEMBER(struct cudaDeviceProp, type, name, value)
#define PROPERTY_12(type, name, array, value)
#define PROPERTY_12_13(type, name, array, value) MEMBER(struct cudaDeviceProp, type, name, value)
#define PROPERTY_13(type, name, array, value)    MEMBER(struct cudaDeviceProp, type, name, value)
#include "collect/cudart/cudart_properties.def"
};

static void fill_member(char *form, const member *m)
{
    const size_t elements = m->bytes / m->element_bytes;
    for (size_t i = 0; m->attribute && i < elements; i++) {
        const int value = attribute((CUdevice_attribute)(m->attribute + i));
        const size_t wide = (size_t)value;
        memcpy(form + m->offset + i * m->element_bytes, m->element_bytes == sizeof wide ? (const void *)&wide : &value,
               m->element_bytes);
    }
    if (!m->attribute && m->constant)
        memcpy(form + m->offset, &m->constant, sizeof m->constant);
}

/* What stands at the same place in all three. */
_Static_assert(offsetof(ws_properties_11, totalGlobalMem) == offsetof(struct cudaDeviceProp, totalGlobalMem) &&
                   offsetof(ws_properties_12, totalGlobalMem) == offsetof(struct cudaDeviceProp, totalGlobalMem),
               "the head of cudaDeviceProp is the same in all versions");
_Static_assert(sizeof(struct cudaDeviceProp) == 1008, "cudaDeviceProp of CUDA 13.0");
_Static_assert(sizeof(ws_properties_12) == 1032, "cudaDeviceProp of CUDA 12");
_Static_assert(sizeof(ws_properties_11) == 728, "cudaDeviceProp of CUDA 11");

static cudaError_t fill(void *out, size_t bytes, const member *members, size_t count, int device)
{
    WS_RUNTIME_ENTER();
    struct cudaDeviceProp *const head = out;
    CUuuid uuid;
    if (!out)
        return ws_rt_result(cudaErrorInvalidValue);
    if (device)
        return ws_rt_result(cudaErrorInvalidDevice);
    memset(out, 0, bytes);
    for (size_t i = 0; i < count; i++)
        fill_member(out, &members[i]);
    CUresult result = cuDeviceGetName(head->name, sizeof head->name, 0);
    if (!result)
        result = cuDeviceGetUuid(&uuid, 0);
    if (!result)
        result = cuDeviceTotalMem(&head->totalGlobalMem, 0);
    if (!result)
        memcpy(head->uuid, &uuid, sizeof head->uuid);
    return ws_rt_from_driver(result);
}

static cudaError_t properties_of(void *out, int version, int device)
{
    switch (version) {
    case 11:
        return fill(out, sizeof(ws_properties_11), members_11, sizeof members_11 / sizeof *members_11, device);
    case 12:
        return fill(out, sizeof(ws_properties_12), members_12, sizeof members_12 / sizeof *members_12, device);
    default:
        return fill(out, sizeof(struct cudaDeviceProp), members_13, sizeof members_13 / sizeof *members_13, device);
    }
}

/* CUDA 12 kept the form of CUDA 11 for programs that were built with it. */
cudaError_t cudaGetDeviceProperties(void *out, int device)
{
    return properties_of(out, ws_cudart_major == 12 ? 11 : ws_cudart_major, device);
}

cudaError_t cudaGetDeviceProperties_v2(void *out, int device)
{
    return properties_of(out, 12, device);
}
