/* module_declared.h - modules of PTX as a whole: read, linked, looked through by name. What they are made of is
 * module.h; a new opcode recompiles only files that read instructions. */
#ifndef WS_MODULE_DECLARED_H
#define WS_MODULE_DECLARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_variable ws_variable;
typedef struct ws_function ws_function;
typedef struct ws_module ws_module;

/* Parses text[0..length) (need not be NUL-terminated; a trailing NUL is fine). `file` is what messages call it. A
 * syntax error is WS_EINPUT with "file:line:column: ...". Unknown opcodes, modifiers and special registers are no
 * errors: they mark the instruction `unsupported`. A target that nobody knows is WS_EINPUT, too, a version of PTX above
 * those that are known WS_EVERSION. The module owns its arena: free with ws_module_destroy. */
int ws_ptx_parse(const char *file, const char *text, size_t length, ws_module **out);
int ws_ptx_load(const char *path, ws_module **out);
void ws_module_destroy(ws_module *module);

/* Whether ws_ptx_parse takes PTX of this ISA version (9 of 9.0) and target (75 of sm_75; target.def has them). */
enum { WS_PTX_NEWEST_MAJOR = 9 };
bool ws_ptx_is_known(uint32_t version_major, uint32_t architecture);
uint32_t ws_ptx_newest_target(void);

/* Makes one module, called `name`, out of n >= 1, which it takes over, also when it fails. A definition answers .extern
 * declarations of all modules; a visible definition wins over .weak ones, those over .common ones, the first one
 * otherwise; names without linkage stay apart: of two modules' `x`, the second becomes `x.2`. WS_EINPUT names both
 * places when definitions exclude each other, and the use of a variable that nobody defines. Functions that nobody
 * defines are left declared when `provided` is NULL; otherwise they have to be among those that it knows. */
int ws_ptx_link(const char *name, ws_module *const *module, uint32_t n, bool (*provided)(const char *name),
                ws_module **out);

/* Makes the arrays by name that the two below look through; who made the module has done so. False: no memory. */
bool ws_module_sort_names(ws_module *module);
const ws_function *ws_module_function(const ws_module *module, const char *name);
const ws_variable *ws_module_variable(const ws_module *module, const char *name);

#endif
