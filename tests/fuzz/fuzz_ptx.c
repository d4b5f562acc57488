/* fuzz_ptx.c - can any bytes break the PTX parser, and is what it accepts consistent? */
#include "base/status.h"
#include "collect/ptx/module.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_operand(const ws_function *f, const ws_operand *o)
{
    if (o->kind == WS_OPND_REG)
        require(o->reg < f->regs);
    if (o->kind == WS_OPND_LABEL)
        require(o->target <= f->insns);
    if (o->kind == WS_OPND_TARGETS)
        require(o->target < f->lists);
    if (o->kind == WS_OPND_SYMBOL)
        require(o->name && (!o->variable || !o->function));
    if (o->kind == WS_OPND_ADDRESS)
        require(o->elems >= 1);
    for (unsigned i = 0; i < o->elems; i++)
        check_operand(f, &o->elem[i]);
}

static void check_function(const ws_module *m, const ws_function *f)
{
    require(ws_module_function(m, f->name) != NULL);
    for (uint32_t i = 0; i < f->insns; i++) {
        const ws_insn *const insn = &f->insn[i];
        require(insn->op < WS_OPS && insn->text && insn->operands <= WS_INSN_OPERANDS && insn->types <= WS_INSN_TYPES);
        require(ws_ptx_class(insn) < WS_CLASSES && ws_ptx_dsts(insn) <= 1);
        for (unsigned k = 0; k < insn->operands; k++)
            check_operand(f, &insn->operand[k]);
        if (insn->guard)
            require(f->reg[insn->guard->reg].type == WS_T_pred);
    }
    for (uint32_t i = 0; i < f->lists; i++)
        for (uint32_t k = 0; f->list[i].kind == 0 && k < f->list[i].n; k++)
            require(f->list[i].target[k] <= f->insns);
    for (uint32_t i = 0; i < f->params; i++)
        require(f->param[i].align && f->param[i].offset % f->param[i].align == 0);
}

static void check_variable(const ws_variable *v)
{
    unsigned sum = 0;
    require(v->align && (v->align & (v->align - 1)) == 0);
    for (uint64_t i = 0; v->init && i < v->size; i += 4096)
        sum += v->init[i]; /* readable to its end */
    if (v->init && v->size)
        sum += v->init[v->size - 1];
    for (uint32_t i = 0; i < v->relocs; i++)
        require(v->reloc[i].offset + v->reloc[i].bytes <= v->size && v->reloc[i].name && sum < UINT32_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_module *module = NULL;
    if (ws_ptx_parse("fuzz", (const char *)data, size, &module) != WS_OK) {
        require(!module && strncmp(ws_message(), "fuzz:", 5) == 0);
        return 0;
    }
    for (uint32_t i = 0; i < module->functions; i++)
        check_function(module, module->function[i]);
    for (uint32_t i = 0; i < module->vars; i++)
        check_variable(module->var[i]);
    ws_module_destroy(module);
    return 0;
}
