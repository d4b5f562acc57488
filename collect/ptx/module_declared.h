/* module_declared.h - PTX modules as opaque types: parsing, linking and lookup by name. module.h defines their
 * contents, so a new opcode recompiles only files that read instructions. */
#ifndef WS_MODULE_DECLARED_H
#define WS_MODULE_DECLARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_variable ws_variable;
typedef struct ws_function ws_function;
typedef struct ws_module ws_module;

/* Parses text[0..length), with or without a trailing NUL. `file` is its name in messages. A syntax error is WS_EINPUT
 * with "file:line:column: ...". Unknown opcodes, modifiers and special registers mark the instruction `unsupported`
 * instead of failing. An unknown target is WS_EINPUT; a PTX version newer than the supported ones is WS_EVERSION. The
 * module owns its arena: free with ws_module_destroy. */
int ws_ptx_parse(const char *file, const char *text, size_t length, ws_module **out);
int ws_ptx_load(const char *path, ws_module **out);
void ws_module_destroy(ws_module *module);

/* Returns whether ws_ptx_parse accepts this PTX ISA version (9 of 9.0) and target (75 of sm_75; listed in target.def).
 */
enum { WS_PTX_NEWEST_MAJOR = 9 };
bool ws_ptx_is_known(uint32_t version_major, uint32_t architecture);
uint32_t ws_ptx_newest_target(void);

/* Links n >= 1 modules into one called `name`. Takes ownership of them, also on failure. A definition resolves .extern
 * declarations of all modules. A visible definition overrides .weak ones, and those override .common ones; otherwise
 * the first wins. Names without linkage stay separate: the second module's `x` becomes `x.2`. WS_EINPUT names both
 * places of conflicting definitions, and the use of an undefined variable. Undefined functions remain declared if
 * `provided` is NULL; otherwise it must return true for them. */
int ws_ptx_link(const char *name, ws_module *const *module, uint32_t n, bool (*provided)(const char *name),
                ws_module **out);

/* Builds the sorted arrays used by the two functions below; the module's creator calls it. Returns false when memory is
 * short. */
bool ws_module_sort_names(ws_module *module);
const ws_function *ws_module_function(const ws_module *module, const char *name);
const ws_variable *ws_module_variable(const ws_module *module, const char *name);

#endif
