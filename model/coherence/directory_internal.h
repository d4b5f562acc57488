/* directory_internal.h - controllers of protocols with a directory in L2; l1.c and l2.c delegate to them. Arguments as
 * in coherence.h. */
#ifndef WS_DIRECTORY_INTERNAL_H
#define WS_DIRECTORY_INTERNAL_H

#include "model/coherence/coherence_internal.h"

int ws_directory_l1_access(const ws_coherence *c, void *l1, const ws_request *access, const ws_coherence_ports *ports);
int ws_directory_l1_message(const ws_coherence *c, void *l1, const ws_coherence_message *message,
                            const ws_coherence_ports *ports);
int ws_directory_l1_evict(const ws_coherence *c, void *l1, uint64_t block, const ws_coherence_ports *ports);
int ws_directory_l1_flush(const ws_coherence *c, void *l1, const ws_coherence_ports *ports);
ws_line_view ws_directory_l1_look(const ws_coherence *c, const void *l1, uint64_t block);

int ws_directory_l2_message(const ws_coherence *c, void *l2, const ws_coherence_message *message,
                            const ws_coherence_ports *ports);
int ws_directory_l2_advance(const ws_coherence *c, void *l2, const ws_coherence_ports *ports);
int ws_directory_l2_evict(const ws_coherence *c, void *l2, uint64_t block, const ws_coherence_ports *ports);

#endif
