/* random_text.c - how does a random kernel read as PTX? */
#include "random_program.h"

#include <inttypes.h>

typedef struct printer {
    FILE *out;
    const program *p;
    unsigned labels;               /* used so far */
    unsigned end[8], next[8], top; /* labels of the loops around: behind it, and its next round */
    bool in_function;
    const char *own[OWN_SPACES]; /* registers with the address of a thread's own bytes */
} printer;

static const char *const prefix[KINDS] = {"%r", "%rd", "%f", "%fd", "%p"};
static const char *const reduction_text[REDUCTIONS] = {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"};

static void print_operand(printer *w, const operand *o)
{
    if (!o->constant)
        fprintf(w->out, "%s%u", prefix[o->kind], o->reg);
    else if (o->kind == KIND_u)
        fprintf(w->out, "%" PRIu32, o->value.u);
    else if (o->kind == KIND_l)
        fprintf(w->out, "0x%" PRIx64, o->value.l);
    else if (o->kind == KIND_f)
        fprintf(w->out, "0f%08" PRIX32, o->value.u);
    else
        fprintf(w->out, "0d%016" PRIX64, o->value.l);
}

static void print_guard(printer *w, const statement *s)
{
    if (s->guard >= 0)
        fprintf(w->out, "@%s%%p%d ", s->negate ? "!" : "", s->guard);
}

static void print_op(printer *w, const statement *s)
{
    const char *bar = s->op->text;
    while (*bar && *bar != '|')
        bar++;
    print_guard(w, s);
    fprintf(w->out, "%.*s ", (int)(bar - s->op->text), s->op->text);
    print_operand(w, &s->dst);
    for (int i = 0; i < 3 && s->op->src[i] != KIND_none; i++) {
        fputs(", ", w->out);
        print_operand(w, &s->src[i]);
    }
    fprintf(w->out, "%s;\n", *bar ? bar + 1 : "");
}

/* ------------------------------------------------------------------------------------------------ memory */

typedef struct own_text {
    const char *opcode, *type,
        *form; /* form: D destination, A address, X Y values, d e f x y z: the registers behind */
    unsigned bytes;
} own_text;

static const own_text own_texts[ACCESSES] = {
    [LOAD_U8] = {"ld", "u8", "D, A", 1},
    [LOAD_S8] = {"ld", "s8", "D, A", 1},
    [LOAD_U16] = {"ld", "u16", "D, A", 2},
    [LOAD_S16] = {"ld", "s16", "D, A", 2},
    [LOAD_U32] = {"ld", "u32", "D, A", 4},
    [LOAD_U64] = {"ld", "u64", "D, A", 8},
    [LOAD_V2] = {"ld", "v2.u32", "{D, d}, A", 8},
    [LOAD_V4] = {"ld", "v4.u32", "{D, d, e, f}, A", 16},
    [STORE_U8] = {"st", "u8", "A, X", 1},
    [STORE_U16] = {"st", "u16", "A, X", 2},
    [STORE_U32] = {"st", "u32", "A, X", 4},
    [STORE_U64] = {"st", "u64", "A, X", 8},
    [STORE_V2] = {"st", "v2.u32", "A, {X, x}", 8},
    [STORE_V4] = {"st", "v4.u32", "A, {X, x, y, z}", 16},
    [ATOM_ADD] = {"atom", "add.u32", "D, A, X", 4},
    [ATOM_EXCH] = {"atom", "exch.b32", "D, A, X", 4},
    [ATOM_CAS] = {"atom", "cas.b32", "D, A, X, Y", 4},
    [ATOM_INC] = {"atom", "inc.u32", "D, A, X", 4},
    [ATOM_MIN_S] = {"atom", "min.s32", "D, A, X", 4},
};

static void print_behind(printer *w, const operand *o, unsigned by)
{
    fprintf(w->out, "%s%u", prefix[o->kind], (o->reg + by) % REGISTERS);
}

static void print_own(printer *w, const statement *s)
{
    static const char *const space[OWN_SPACES] = {".global", "", ".local", "", ".shared"};
    const own_text *t = &own_texts[s->variant];
    const unsigned bytes = s->where == OWN_SHARED ? SHARED_OWN_BYTES : SCRATCH_BYTES;
    fprintf(w->out, "and.b32 %%t0, %%r%u, %u;\ncvt.u64.u32 %%a0, %%t0;\nadd.u64 %%a0, %%a0, %s;\n", s->src[0].reg,
            (bytes - 1) & ~(t->bytes - 1), w->own[s->where]);
    print_guard(w, s);
    fprintf(w->out, "%s%s.%s ", t->opcode, space[s->where], t->type);
    for (const char *c = t->form; *c; c++) {
        switch (*c) {
        case 'D':
            print_operand(w, &s->dst);
            break;
        case 'd':
        case 'e':
        case 'f':
            print_behind(w, &s->dst, (unsigned)(*c - 'd') + 1);
            break;
        case 'x':
        case 'y':
        case 'z':
            print_behind(w, &s->src[1], (unsigned)(*c - 'x') + 1);
            break;
        case 'A':
            fputs("[%a0]", w->out);
            break;
        case 'X':
            print_operand(w, &s->src[1]);
            break;
        case 'Y':
            print_operand(w, &s->src[2]);
            break;
        default:
            fputc(*c, w->out);
            break;
        }
    }
    fputs(";\n", w->out);
}

static void print_reduction(printer *w, const statement *s)
{
    fprintf(w->out, "and.b32 %%t0, %%r%u, %d;\nmad.wide.u32 %%a0, %%t0, 4, %s;\n", s->src[0].reg, CELLS - 1,
            s->where ? "%cells_shared" : "%cells");
    print_guard(w, s);
    fprintf(w->out, "red.%s.%s [%%a0+%u], %%r%u;\n", s->where ? "shared" : "global", reduction_text[s->variant],
            s->variant * CELLS * 4, s->src[1].reg);
}

/* Lanes of one warp compete for the lock too. */
static void print_lock(printer *w, const statement *s)
{
    const unsigned spin = w->labels++;
    fprintf(w->out,
            "L%u:\natom.shared.cas.b32 %%t0, [%%cells_shared+%d], 0, 1;\nsetp.ne.u32 %%q0, %%t0, 0;\n@%%q0 bra L%u;\n",
            spin, LOCK_WORD * 4, spin);
    fprintf(w->out, "ld.volatile.shared.u32 %%t0, [%%cells_shared+%d];\nadd.u32 %%t0, %%t0, %%r%u;\n", GUARDED_WORD * 4,
            s->src[0].reg);
    fprintf(w->out,
            "st.volatile.shared.u32 [%%cells_shared+%d], %%t0;\nmembar.cta;\natom.shared.exch.b32 %%t0, "
            "[%%cells_shared+%d], 0;\n",
            GUARDED_WORD * 4, LOCK_WORD * 4);
}

/* ------------------------------------------------------------------------------------------------ calls */

static void print_call(printer *w, const statement *s)
{
    fprintf(w->out,
            "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 r;\nst.param.b32 [a], %%r%u;\nst.param.b32 [b], %%r%u;\n",
            s->src[0].reg, s->src[1].reg);
    if (s->kind == S_CALL)
        fprintf(w->out, "call (r), function_%u, (a, b);\n", s->where);
    else
        fprintf(w->out,
                "mov.u64 %%a0, function_0;\nmov.u64 %%a1, function_1;\nselp.b64 %%a0, %%a0, %%a1, %%p%d;\n"
                "call (r), %%a0, (a, b), shape;\n",
                s->guard);
    fprintf(w->out, "ld.param.b32 %%r%u, [r];\n}\n", s->dst.reg);
}

/* ------------------------------------------------------------------------------------------------ control flow */

static void print_block(printer *w, const block *b);

static void print_jump(printer *w, const statement *s, bool when, unsigned label)
{
    fprintf(w->out, "@%s%%p%d bra L%u;\n", s->negate == when ? "!" : "", s->guard, label);
}

static void print_if(printer *w, const statement *s)
{
    const unsigned otherwise = w->labels++, end = w->labels++;
    print_jump(w, s, false, otherwise);
    print_block(w, &s->body[0]);
    if (s->body[1].n)
        fprintf(w->out, "bra L%u;\n", end);
    fprintf(w->out, "L%u:\n", otherwise);
    print_block(w, &s->body[1]);
    fprintf(w->out, "L%u:\n", end);
}

/* Counts %cK from 0 to the trip count %nK; tested at the top or at the bottom. */
static void print_loop(printer *w, const statement *s)
{
    const unsigned top = w->labels++, next = w->labels++, end = w->labels++, k = w->top;
    w->end[k] = end;
    w->next[k] = next;
    w->top++;
    fprintf(w->out, "mov.u32 %%c%u, 0;\nand.b32 %%n%u, %%r%u, %d;\nL%u:\n", k, k, s->src[0].reg,
            s->is_long ? LONG_TRIPS : 7, top);
    if (!s->bottom)
        fprintf(w->out, "setp.ge.u32 %%q0, %%c%u, %%n%u;\n@%%q0 bra L%u;\n", k, k, end);
    print_block(w, &s->body[0]);
    fprintf(w->out, "L%u:\nadd.u32 %%c%u, %%c%u, 1;\n", next, k, k);
    if (s->bottom)
        fprintf(w->out, "setp.lt.u32 %%q0, %%c%u, %%n%u;\n@%%q0 bra L%u;\n", k, k, top);
    else
        fprintf(w->out, "bra L%u;\n", top);
    fprintf(w->out, "L%u:\n", end);
    w->top--;
}

static void print_switch(printer *w, const statement *s)
{
    const unsigned first = w->labels, end = first + CASES;
    w->labels += CASES + 1;
    fprintf(
        w->out,
        "{\ntargets_%u: .branchtargets L%u, L%u, L%u, L%u;\nand.b32 %%t0, %%r%u, %d;\nbrx.idx %%t0, targets_%u;\n}\n",
        first, first, first + 1, first + 2, first + 3, s->src[0].reg, CASES - 1, first);
    for (unsigned i = 0; i < CASES; i++) {
        fprintf(w->out, "L%u:\n", first + i);
        print_block(w, &s->body[i]);
        fprintf(w->out, "bra L%u;\n", end);
    }
    fprintf(w->out, "L%u:\n", end);
}

/* ------------------------------------------------------------------------------------ where threads meet */

static void print_shuffle(printer *w, const statement *s)
{
    static const char *const mode[] = {"up", "down", "bfly", "idx"};
    const unsigned clamp = (32 - s->where) << 8 | (s->variant == SHUFFLE_UP ? 0 : 31);
    fprintf(w->out, "shfl.sync.%s.b32 %%r%u|%%p%u, %%r%u, ", mode[s->variant - SHUFFLE_UP], s->dst.reg, s->src[2].reg,
            s->src[0].reg);
    print_operand(w, &s->src[1]);
    fprintf(w->out, ", %u, -1;\n", clamp);
}

/* Lanes of one warp have to come to the same barrier, but those of sides need not. */
static const char *aligned(const statement *s)
{
    return s->sides ? "" : ".aligned";
}

static void print_exchange(printer *w, const statement *s)
{
    fprintf(w->out, "mad.wide.u32 %%a0, %%tid_block, 4, %%exchange;\nst.shared.u32 [%%a0], %%r%u;\nbarrier.sync%s 0;\n",
            s->src[0].reg, aligned(s));
    fprintf(w->out,
            "add.u32 %%t0, %%tid_block, %u;\nrem.u32 %%t0, %%t0, %u;\nmad.wide.u32 %%a0, %%t0, 4, %%exchange;\n",
            s->where, w->p->threads);
    fprintf(w->out, "ld.shared.u32 %%r%u, [%%a0];\nbarrier.sync%s 0;\n", s->dst.reg, aligned(s));
}

static void print_collective(printer *w, const statement *s)
{
    const char *const negate = s->negate ? "!" : "";
    const unsigned d = s->dst.reg, a = s->src[0].reg, p = s->src[2].reg;
    switch (s->variant) {
    case BALLOT:
        fprintf(w->out, "vote.sync.ballot.b32 %%r%u, %s%%p%d, -1;\n", d, negate, s->guard);
        break;
    case VOTE_ALL:
        fprintf(w->out, "vote.sync.all.pred %%p%u, %s%%p%d, -1;\n", p, negate, s->guard);
        break;
    case VOTE_ANY:
        fprintf(w->out, "vote.sync.any.pred %%p%u, %s%%p%d, -1;\n", p, negate, s->guard);
        break;
    case MATCH_ANY:
        fprintf(w->out, "and.b32 %%t0, %%r%u, 3;\nmatch.any.sync.b32 %%r%u, %%t0, -1;\n", a, d);
        break;
    case REDUX_ADD:
        fprintf(w->out, "redux.sync.add.s32 %%r%u, %%r%u, -1;\n", d, a);
        break;
    case REDUX_MIN_S:
        fprintf(w->out, "redux.sync.min.s32 %%r%u, %%r%u, -1;\n", d, a);
        break;
    case BAR_POPC:
        fprintf(w->out, "barrier.sync%s 0;\nbarrier.red.popc%s.u32 %%r%u, 0, %s%%p%d;\n", aligned(s), aligned(s), d,
                negate, s->guard);
        break;
    case BAR_AND:
        fprintf(w->out, "barrier.red.and%s.pred %%p%u, 0, %s%%p%d;\n", aligned(s), p, negate, s->guard);
        break;
    case BAR_OR:
        fprintf(w->out, "barrier.red.or%s.pred %%p%u, 1, %s%%p%d;\n", aligned(s), p, negate, s->guard);
        break;
    case EXCHANGE:
        print_exchange(w, s);
        break;
    default:
        print_shuffle(w, s);
        break;
    }
}

/* The statement on both sides of a branch, each of which may branch again. */
static void print_sides(printer *w, const statement *s, unsigned sides)
{
    if (!sides) {
        print_collective(w, s);
        return;
    }
    const unsigned other = w->labels++, end = w->labels++;
    fprintf(w->out, "@%%p%u bra L%u;\n", s->side[sides - 1], other);
    print_sides(w, s, sides - 1);
    fprintf(w->out, "bra L%u;\nL%u:\n", end, other);
    print_sides(w, s, sides - 1);
    fprintf(w->out, "L%u:\n", end);
}

static void print_statement(printer *w, const statement *s)
{
    switch (s->kind) {
    case S_OP:
        print_op(w, s);
        break;
    case S_IF:
        print_if(w, s);
        break;
    case S_LOOP:
        print_loop(w, s);
        break;
    case S_BREAK:
        print_jump(w, s, true, w->end[w->top - 1]);
        break;
    case S_CONTINUE:
        print_jump(w, s, true, w->next[w->top - 1]);
        break;
    case S_SWITCH:
        print_switch(w, s);
        break;
    case S_CALL:
    case S_CALL_EITHER:
        print_call(w, s);
        break;
    case S_OWN:
        print_own(w, s);
        break;
    case S_REDUCE:
        print_reduction(w, s);
        break;
    case S_EXIT:
        print_guard(w, s);
        fputs("exit;\n", w->out);
        break;
    case S_RETURN:
        print_guard(w, s);
        fputs("st.param.b32 [value], %r0;\n", w->out);
        print_guard(w, s);
        fputs("ret;\n", w->out);
        break;
    case S_LOCK:
        print_lock(w, s);
        break;
    case S_COLLECTIVE:
        print_sides(w, s, s->sides);
        break;
    }
}

static void print_block(printer *w, const block *b)
{
    for (size_t i = 0; i < b->n; i++)
        print_statement(w, &b->item[i]);
}

/* ------------------------------------------------------------------------------------------------ frame */

static void print_function(printer *w, unsigned number)
{
    fprintf(w->out, ".func (.param .b32 value) function_%u (.param .b32 left, .param .b32 right)\n{\n", number);
    fprintf(w->out, ".reg .b32 %%r<%d>;\n.reg .b32 %%t<4>;\n.reg .pred %%p<%d>;\n.reg .pred %%q<1>;\n", REGISTERS,
            REGISTERS);
    fputs("ld.param.b32 %t1, [left];\nld.param.b32 %t2, [right];\n", w->out);
    for (unsigned i = 0; i < REGISTERS; i++)
        fprintf(w->out, "mad.lo.u32 %%r%u, %%t1, %u, %%t2;\n", i, 2 * i + 3);
    for (unsigned i = 0; i < REGISTERS; i++)
        fprintf(w->out, "setp.lt.u32 %%p%u, %%r%u, %%r%u;\n", i, i, (i + 1) % REGISTERS);
    print_block(w, &w->p->function[number]);
    const unsigned end = w->labels++;
    fprintf(w->out, "and.b32 %%t0, %%t1, 3;\nsetp.eq.u32 %%q0, %%t0, 0;\n@%%q0 bra L%u;\nsub.u32 %%t1, %%t1, 1;\n",
            end);
    fprintf(w->out,
            "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 r;\nst.param.b32 [a], %%t1;\nst.param.b32 [b], %%r0;\n"
            "call (r), function_%u, (a, b);\nld.param.b32 %%r0, [r];\n}\nL%u:\n",
            number, end);
    fputs("st.param.b32 [value], %r0;\nret;\n}\n", w->out);
}

static void print_registers(printer *w)
{
    fprintf(w->out,
            ".reg .b32 %%r<%d>;\n.reg .b64 %%rd<%d>;\n.reg .f32 %%f<%d>;\n.reg .f64 %%fd<%d>;\n.reg .pred %%p<%d>;\n",
            REGISTERS, REGISTERS, REGISTERS, REGISTERS, REGISTERS);
    fputs(".reg .b32 %t<4>;\n.reg .b32 %c<4>;\n.reg .b32 %n<4>;\n.reg .b64 %a<4>;\n.reg .pred %q<2>;\n"
          ".reg .b32 %tid_block;\n.reg .b64 %input, %output, %scratch, %scratch_global, %cells, %cells_shared, "
          "%exchange;\n"
          ".reg .b64 %own_local, %own_local_generic, %own_shared;\n",
          w->out);
    fprintf(w->out,
            ".shared .align 16 .b8 own_shared[%u];\n.shared .align 4 .b8 exchange[%u];\n.shared .align 4 .b8 "
            "cells_shared[%d];\n"
            ".local .align 16 .b8 own_local[%d];\n",
            w->p->threads * SHARED_OWN_BYTES, w->p->threads * 4, CELL_WORDS * 4, SCRATCH_BYTES);
}

/* %tid_block: linear in the block; %t1: linear in the grid; %t2: block. */
static void print_places(printer *w)
{
    fputs("mov.u32 %t0, %ntid.y;\nmov.u32 %t1, %tid.z;\nmov.u32 %t2, %tid.y;\nmad.lo.u32 %t1, %t1, %t0, %t2;\n"
          "mov.u32 %t0, %ntid.x;\nmov.u32 %t2, %tid.x;\nmad.lo.u32 %tid_block, %t1, %t0, %t2;\n"
          "mov.u32 %t0, %nctaid.x;\nmov.u32 %t1, %ctaid.y;\nmov.u32 %t2, %ctaid.x;\nmad.lo.u32 %t2, %t1, %t0, %t2;\n",
          w->out);
    fprintf(w->out, "mad.lo.u32 %%t1, %%t2, %u, %%tid_block;\n", w->p->threads);
    fprintf(w->out,
            "ld.param.u64 %%a0, [input];\ncvta.to.global.u64 %%a0, %%a0;\nmad.wide.u32 %%input, %%t1, %d, %%a0;\n",
            RECORD_BYTES);
    fprintf(w->out,
            "ld.param.u64 %%a0, [output];\ncvta.to.global.u64 %%a0, %%a0;\nmad.wide.u32 %%output, %%t1, %d, %%a0;\n",
            RECORD_BYTES);
    fprintf(w->out,
            "ld.param.u64 %%a0, [scratch];\nmad.wide.u32 %%scratch, %%t1, %d, %%a0;\ncvta.to.global.u64 "
            "%%scratch_global, %%scratch;\n",
            SCRATCH_BYTES);
    fputs("ld.param.u64 %cells, [cells];\ncvta.to.global.u64 %cells, %cells;\n"
          "mov.u64 %cells_shared, cells_shared;\nmov.u64 %exchange, exchange;\nmov.u64 %a0, own_shared;\n",
          w->out);
    fprintf(w->out, "mad.wide.u32 %%own_shared, %%tid_block, %d, %%a0;\n", SHARED_OWN_BYTES);
    fputs("mov.u64 %own_local, own_local;\ncvta.local.u64 %own_local_generic, %own_local;\n", w->out);
}

/* Own bytes to zero, shared cells to what a reduction starts from. */
static void print_clear(printer *w)
{
    for (int i = 0; i < SCRATCH_BYTES; i += 8)
        fprintf(w->out, "st.local.u64 [%%own_local+%d], 0;\n", i);
    for (int i = 0; i < SHARED_OWN_BYTES; i += 8)
        fprintf(w->out, "st.shared.u64 [%%own_shared+%d], 0;\n", i);
    const unsigned end = w->labels++;
    fprintf(w->out, "setp.ne.u32 %%q1, %%tid_block, 0;\n@%%q1 bra L%u;\n", end);
    for (unsigned i = 0; i < CELL_WORDS; i++)
        fprintf(w->out, "st.shared.u32 [cells_shared+%u], %" PRIu32 ";\n", i * 4, cell_start(i));
    fprintf(w->out, "L%u:\nbar.sync 0;\n", end);
}

static void print_registers_moved(printer *w, bool load)
{
    static const char *const type[] = {"u32", "u64", "f32", "f64"};
    static const unsigned base[] = {0, 32, 96, 128}, width[] = {4, 8, 4, 8};
    for (unsigned of = 0; of < KIND_p; of++)
        for (unsigned i = 0; i < REGISTERS; i++) {
            if (load)
                fprintf(w->out, "ld.global.%s %s%u, [%%input+%u];\n", type[of], prefix[of], i,
                        base[of] + i * width[of]);
            else
                fprintf(w->out, "st.global.%s [%%output+%u], %s%u;\n", type[of], base[of] + i * width[of], prefix[of],
                        i);
        }
    fputs(load ? "ld.global.u32 %t0, [%input+192];\n" : "mov.u32 %t0, 0;\n", w->out);
    for (unsigned i = 0; i < REGISTERS; i++) {
        if (load)
            fprintf(w->out, "and.b32 %%t3, %%t0, %u;\nsetp.ne.u32 %%p%u, %%t3, 0;\n", 1u << i, i);
        else
            fprintf(w->out, "selp.b32 %%t3, %u, 0, %%p%u;\nor.b32 %%t0, %%t0, %%t3;\n", 1u << i, i);
    }
    if (!load)
        fputs("st.global.u32 [%output+192], %t0;\n", w->out);
}

/* Thread 0 of each block copies the block's cells behind those of the grid. */
static void print_copy_cells(printer *w)
{
    const unsigned end = w->labels++, bytes = CELL_WORDS * 4;
    fprintf(w->out, "bar.sync 0;\nsetp.ne.u32 %%q1, %%tid_block, 0;\n@%%q1 bra L%u;\nadd.u32 %%t1, %%block, 1;\n", end);
    fprintf(w->out, "mad.wide.u32 %%a0, %%t1, %u, %%cells;\nmov.u32 %%t0, 0;\nL%u:\n", bytes, w->labels);
    fprintf(w->out,
            "cvt.u64.u32 %%a1, %%t0;\nadd.u64 %%a2, %%a1, %%cells_shared;\nld.shared.u32 %%t1, [%%a2];\nadd.u64 %%a2, "
            "%%a1, %%a0;\n"
            "st.global.u32 [%%a2], %%t1;\nadd.u32 %%t0, %%t0, 4;\nsetp.lt.u32 %%q1, %%t0, %u;\n@%%q1 bra L%u;\nL%u:\n",
            bytes, w->labels, end);
    w->labels++;
}

void program_print(const program *p, FILE *out)
{
    printer w = {
        .out = out, .p = p, .own = {"%scratch_global", "%scratch", "%own_local", "%own_local_generic", "%own_shared"}};
    fputs(".version 7.5\n.target sm_80\n.address_size 64\n", out);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        print_function(&w, i);
    fputs(".visible .entry random_kernel(.param .u64 input, .param .u64 output, .param .u64 scratch, .param .u64 "
          "cells)\n{\n",
          out);
    print_registers(&w);
    fputs(".reg .b32 %block;\nshape: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n", out);
    print_places(&w);
    fputs("mov.u32 %block, %t2;\n", out);
    print_clear(&w);
    print_registers_moved(&w, true);
    print_block(&w, &p->body);
    print_copy_cells(&w);
    print_block(&w, &p->tail);
    print_registers_moved(&w, false);
    fputs("ret;\n}\n", out);
}
