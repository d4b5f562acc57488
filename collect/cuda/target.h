/* target.h - what libcudart tells libcuda of the program: there is code for this target, as 90, so the device reports
 * at least that compute capability. Any thread may call it, at any time. */
#ifndef WS_CUDA_TARGET_H
#define WS_CUDA_TARGET_H

void ws_driver_require_target(unsigned target);

#endif
