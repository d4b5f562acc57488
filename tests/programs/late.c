/* late.c - a program that is not linked with CUDA and loads the driver when it runs. Its one launch does nothing. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    static const char ptx[] =
        ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry _Z4latev()\n{\n    ret;\n}\n";
    void *const library = dlopen("libcuda.so.1", RTLD_NOW), *context, *module, *function;
    int (*init)(unsigned), (*create)(void **, unsigned, int), (*load)(void **, const void *),
        (*get)(void **, void *, const char *),
        (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
    if (!library) {
        fprintf(stderr, "late: %s\n", dlerror());
        return 1;
    }
    *(void **)&init = dlsym(library, "cuInit");
    *(void **)&create = dlsym(library, "cuCtxCreate_v2");
    *(void **)&load = dlsym(library, "cuModuleLoadData");
    *(void **)&get = dlsym(library, "cuModuleGetFunction");
    *(void **)&launch = dlsym(library, "cuLaunchKernel");
    return init(0) || create(&context, 0, 0) || load(&module, ptx) || get(&function, module, "_Z4latev") ||
           launch(function, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
}
