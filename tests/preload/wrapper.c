/* wrapper.c - a library with the name of one of machine code, which computes on the CPU: nothing is to be said of it.
 */
int cublasCreate_v2(void **handle);
int cublasCreate_v2(void **handle)
{
    *handle = 0;
    return 0;
}
