/* facts.h - the device as libnvidia-ml.so.1 reports it: exported by libcuda.so.1 and valid without cuInit. */
#ifndef WS_CUDA_FACTS_H
#define WS_CUDA_FACTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_driver_facts {
    const char *name, *pci_bus_id; /* static texts */
    unsigned char uuid[16];
    unsigned capability;                /* 75: compute capability 7.5 */
    int cuda_version;                   /* 13000: 13.0 */
    int clock_khz, memory_clock_khz;    /* of the attributes of the device */
    uint64_t memory_total, memory_used; /* bytes: capacity; allocated by this process */
    bool is_used;                       /* this process has used the device */
} ws_driver_facts;

void ws_driver_get_facts(ws_driver_facts *facts);

#endif
