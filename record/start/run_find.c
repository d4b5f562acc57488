/* run_find.c - looks at a program before it is run, so that what cannot work is said in a line. */
#include "record/start/run_find.h"

#include "base/mix.h"
#include "base/output.h"
#include "base/program_path.h"
#include "base/status.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------ libraries */

static bool has_library(const char *folder)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/libcuda.so.1", folder);
    return !access(path, R_OK);
}

int ws_program_libraries(char *folder, size_t size)
{
    char self[PATH_MAX], plain[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *const here = dirname(self);
    static const char *const beside[] = {"lib", "../lib/warpscape"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        snprintf(folder, size, "%s/%s", here, beside[i]);
        if (has_library(folder) && realpath(folder, plain)) {
            snprintf(folder, size, "%s", plain);
            return WS_OK;
        }
    }
    snprintf(folder, size, "%s/warpscape", WS_LIBDIR);
    return has_library(folder)
               ? WS_OK
               : ws_fail(WS_ENOTFOUND, "libcuda.so.1 is neither in %s/lib nor in %s; 'make' builds it", here, folder);
}

static bool is_loadable(const char *folder)
{
    return !folder[strcspn(folder, " :;$")];
}

int ws_program_loadable(const char *folder, char *name, size_t size, int *fd)
{
    *fd = -1;
    snprintf(name, size, "%s", folder);
    if (is_loadable(folder))
        return WS_OK;
    *fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(name, size, "/proc/%ld/fd/%d", (long)getpid(), *fd);
    return *fd >= 0 && has_library(name)
               ? WS_OK
               : ws_fail(WS_EIO,
                         "%s: the loader takes no folder with a blank, colon, semicolon or dollar in its name, and %s, "
                         "which would stand for it, cannot be used here: install elsewhere",
                         folder, name);
}

/* A link of that name to the folder; one to another folder is replaced at once. */
static int make_link(const char *folder, const char *name)
{
    char old[PATH_MAX], fresh[PATH_MAX + 32];
    const ssize_t n = readlink(name, old, sizeof old - 1);
    old[n > 0 ? n : 0] = '\0';
    if (!strcmp(old, folder))
        return 0;
    snprintf(fresh, sizeof fresh, "%s.%ld", name, (long)getpid());
    if (symlink(folder, fresh))
        return -1;
    return rename(fresh, name);
}

int ws_program_durable(const char *folder, char *name, size_t size)
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    uint64_t hash = 0;
    snprintf(name, size, "%s", folder);
    if (is_loadable(folder))
        return WS_OK;
    for (const char *c = folder; *c; c++)
        hash = ws_hash(hash ^ (unsigned char)*c);
    const bool has_cache = cache && *cache == '/';
    int n = snprintf(name, size, "%s%s", has_cache ? cache : home ? home : "", has_cache ? "" : "/.cache");
    bool made = *name == '/' && is_loadable(name) && (size_t)n < size && !ws_output_make_folder(name);
    n += made ? snprintf(name + n, size - (size_t)n, "/warpscape") : 0;
    made = made && (size_t)n < size && !ws_output_make_folder(name);
    n += made ? snprintf(name + n, size - (size_t)n, "/libraries-%016" PRIx64, hash) : 0;
    return made && (size_t)n < size && !make_link(folder, name) && has_library(name)
               ? WS_OK
               : ws_fail(WS_EIO,
                         "%s: the loader takes no folder with a blank, colon, semicolon or dollar in its name, and no "
                         "link to it can be made in XDG_CACHE_HOME or ~/.cache: install elsewhere",
                         folder);
}

int ws_program_absolute(const char *path, char *name, size_t size)
{
    char here[PATH_MAX] = "";
    if (*path != '/' && !getcwd(here, sizeof here))
        return ws_fail(WS_EIO, "cannot tell the current folder: %s", strerror(errno));
    const int n = *path == '/' ? snprintf(name, size, "%s", path) : snprintf(name, size, "%s/%s", here, path);
    return (size_t)n < size ? WS_OK : ws_fail(WS_EIO, "%s: the path is too long", path);
}

static bool is_version_of(const char *file, const char *library)
{
    const size_t n = strlen(library);
    return !strncmp(file, library, n) && file[n] == '.' && file[n + 1];
}

bool ws_program_versions(const char *folder, const char *library, char *text, size_t size)
{
    struct dirent **entry;
    const int n = scandir(folder, &entry, NULL, versionsort);
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < n; i++) {
        if (is_version_of(entry[i]->d_name, library) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", entry[i]->d_name);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return used;
}

/* A version of one of our libraries that there is not: the loader would only say that it found no such file. */
static int check_version(const ws_program *p, const char *folder, const char *needed)
{
    char path[PATH_MAX + WS_ELF_NAME], versions[256], library[WS_ELF_NAME];
    snprintf(path, sizeof path, "%s/%s", folder, needed);
    if (!*needed || !access(path, R_OK))
        return WS_OK;
    snprintf(library, sizeof library, "%.*s.so", (int)strcspn(needed, "."), needed);
    ws_program_versions(folder, library, versions, sizeof versions);
    return ws_fail(
        WS_EUNSUPPORTED,
        "%s: needs %s, and there is no such version of that library; there are %s: build the program with a CUDA that "
        "has one of them",
        p->path, needed, versions);
}

int ws_program_check_libraries(const ws_program *program, const char *folder)
{
    const int status = check_version(program, folder, program->facts.runtime);
    return status ? status : check_version(program, folder, program->facts.other_driver);
}

/* ------------------------------------------------------------------------------------------------ files */

#if defined __x86_64__
enum { OURS = EM_X86_64 };
#elif defined __aarch64__
enum { OURS = EM_AARCH64 };
#else
enum { OURS = EM_NONE };
#endif

/* Why the file cannot be run with our libraries in front, if so. */
static int check_elf(const char *path, const ws_elf_facts *f)
{
    char text[32], ours[32];
    if (!f->is_elf)
        return ws_fail(WS_EUNSUPPORTED, "%s: is no program: neither an ELF file nor a script that begins with #!",
                       path);
    if (OURS != EM_NONE && (!f->is_64 || f->machine != OURS))
        return ws_fail(WS_EUNSUPPORTED, "%s: a program for %s%s, and this machine runs %s; build it for this one", path,
                       ws_elf_machine_name(f->machine, text, sizeof text), f->is_64 ? "" : " of 32 bits",
                       ws_elf_machine_name(OURS, ours, sizeof ours));
    if (f->damaged)
        return ws_fail(WS_EUNSUPPORTED, "%s: the ELF file is damaged or cut short; build it again", path);
    if (!f->is_program)
        return ws_fail(WS_EUNSUPPORTED, "%s: an object file, not a program; link it first", path);
    if (!f->dynamic)
        return ws_fail(WS_EUNSUPPORTED,
                       "%s: is linked statically or is a library, so that no library can be put in front of it; "
                       "link a program without -static",
                       path);
    return WS_OK;
}

static int look(const char *path, ws_program *p)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &about)) {
        const int reason = errno;
        if (fd >= 0)
            close(fd);
        if (reason == EACCES && !access(path, X_OK))
            return WS_OK; /* it may be run and not be read: nothing to say about it */
        return ws_fail(WS_EIO, "%s: cannot be read: %s", path, strerror(reason));
    }
    const size_t size = about.st_size > 0 ? (size_t)about.st_size : 0;
    const char *const data = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    close(fd);
    if (data == MAP_FAILED)
        return ws_fail(WS_EIO, "%s: cannot be read: %s", path, strerror(errno));
    p->script = size >= 2 && data[0] == '#' && data[1] == '!';
    if (!p->script)
        ws_elf_look(data ? data : "", size, &p->facts);
    if (data)
        munmap((void *)(uintptr_t)data, size);
    return p->script ? WS_OK : check_elf(path, &p->facts);
}

int ws_program_find(const char *name, ws_program *out)
{
    struct stat about;
    *out = (ws_program){.path = ws_program_path(name)};
    if (!out->path)
        return strchr(name, '/') ? ws_fail(WS_ENOTFOUND, "%s: %s", name, strerror(ENOENT))
                                 : ws_fail(WS_ENOTFOUND, "%s: there is no such program in PATH", name);
    if (stat(out->path, &about))
        return ws_fail(WS_EIO, "%s: %s", out->path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return ws_fail(WS_EUNSUPPORTED, "%s: is a folder", out->path);
    if (access(out->path, X_OK))
        return ws_fail(WS_EUNSUPPORTED, "%s: may not be executed; chmod +x if it is a program", out->path);
    const int status = look(out->path, out);
    /* the loader ignores LD_LIBRARY_PATH and LD_PRELOAD for those */
    if (!status && !out->script &&
        (((about.st_mode & S_ISUID) && about.st_uid != geteuid()) ||
         ((about.st_mode & S_ISGID) && about.st_gid != getegid())))
        return ws_fail(WS_EUNSUPPORTED,
                       "%s: runs as another user or group (setuid, setgid), where no library can be put in "
                       "front of it; run a copy of it",
                       out->path);
    return status;
}

void ws_program_fini(ws_program *program)
{
    free(program->path);
    *program = (ws_program){0};
}
