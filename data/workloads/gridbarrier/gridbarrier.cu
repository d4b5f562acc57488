/* gridbarrier.cu - episodes of a critical section and a barrier of the whole grid.
 *
 * A thread changes words that are nobody else's until the next barrier; with `moves` they are another block's then, so a barrier that lets
 * somebody go too early spoils the result. */
#include "../harness/sync_shape.cuh"

#define NAME(kernel) kernel
#define OWN false
#include "gridbarrier.cuh"
#undef NAME
#undef OWN

/* The same with G-SRB alone, whose blocks wait for words of their SMs. */
#define NAME(kernel) kernel##_own
#define OWN true
#include "gridbarrier.cuh"
