/* target.h - minimum compute capability required by the program: libcudart passes a target with available code, such as
 * 90, and the device then reports at least that capability. Any thread may call it at any time. */
#ifndef WS_CUDA_TARGET_H
#define WS_CUDA_TARGET_H

void ws_driver_require_target(unsigned target);

#endif
