/* Does every spelling of every opcode parse, with its words in the right fields? The fields are turned back into words
 * by tables of this file's own and compared with what was written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/ptx/module.h"
#include "tests/unit/op_names.h"
#include "tests/unit/ptx_variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 16, TEXT_BYTES = 4096 };

static const char *const corpus[] = {
#define C(text) text,
#include "tests/unit/ptx_corpus.def"
#undef C
};

/* Words that no field keeps, because nothing that is modelled depends on them. */
static const char *const ignored[] = {
    "cg",
    "cv",
    "wt",
    "arrive",
    "1d",
    "2d",
    "3d",
    "a1d",
    "a2d",
    "cube",
    "level",
    "grad",
    "base",
    "r",
    "g",
    "b",
    "a",
    "p",
    "trap",
    "clamp",
    "zero",
    "width",
    "height",
    "depth",
    "channel_order",
    "num_samples",
    "memory_layout",
    "m8n8",
    "x1",
    "x2",
    "x4",
    "trans",
    "m16n8k16",
    "m16n8k32",
    "sp",
    "m16n16k16",
    "m32n8k16",
    "m8n32k16",
    "row",
    "col",
    "load",
    "store",
    "mma",
    "c",
    "d",
    "fence",
    "fractional",
    "launch_dependents",
    "wait",
    "inc",
    "dec",
};

static const char *const round_words[] = {"", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
static const char *const cmp_words[] = {"",   "eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls", "hi",
                                        "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
static const char *const half_words[] = {"", "lo", "hi", "wide"};
static const char *const sub_words[] = {
    "",
    "and",
    "or",
    "xor",
    "add",
    "min",
    "max",
    "inc",
    "dec",
    "cas",
    "exch",
    "popc",
    "up",
    "down",
    "bfly",
    "idx",
    "all",
    "any",
    "uni",
    "ballot",
    "sync",
    "arrive",
    "red",
    "warp",
    "l",
    "r",
    "to",
    "f4e",
    "b4e",
    "rc8",
    "ecl",
    "ecr",
    "rc16",
    "finite",
    "infinite",
    "number",
    "notanumber",
    "normal",
    "subnormal",
    "ca",
    "cg",
    "commit_group",
    "wait_group",
    "wait_all",
    "mbarrier",
    "mbarrier::complete_tx::bytes",
    "bulk_group",
    "prefetch",
    "init",
    "inval",
    "test_wait",
    "try_wait",
    "expect_tx",
    "arrive_drop",
    "pending_count",
    "complete_tx",
    "wait",
    "pack",
};
_Static_assert(sizeof sub_words / sizeof *sub_words == WS_SUB_PACK + 1, "one word a sub-operation");
static const char *const order_words[] = {"",        "weak",    "volatile", "relaxed", "acquire",
                                          "release", "acq_rel", "sc",       "mmio"};
static const char *const scope_words[] = {"", "cta", "cluster", "gpu", "sys"};
static const char *const space_words[] = {"", "", "global", "shared", "local", "const", "param", ""};

static const struct {
    size_t field;
    const char *word;
} flags[] = {
#define FLAG(name) \
    { \
        offsetof(ws_insn, name), #name \
    }
    FLAG(ftz),
    FLAG(sat),
    FLAG(satfinite),
    FLAG(relu),
    FLAG(approx),
    FLAG(full),
    FLAG(cc),
    FLAG(wrap),
    FLAG(clamp),
    FLAG(xorsign),
    FLAG(abs),
    FLAG(sync),
    FLAG(aligned),
    FLAG(noinc),
    FLAG(noComplete),
    FLAG(shiftamt),
    FLAG(parity),
    FLAG(bulk),
#undef FLAG
    {offsetof(ws_insn, nan), "NaN"},
    {offsetof(ws_insn, plus_one), "po"},
    {offsetof(ws_insn, tx), "expect_tx"},
};

typedef struct words {
    char text[MAX_WORDS][SPELLING_BYTES];
    unsigned count;
} words;

static void add_word(words *w, const char *text, size_t length)
{
    if (!length)
        return;
    assert_true(w->count < MAX_WORDS && length < SPELLING_BYTES);
    memcpy(w->text[w->count], text, length);
    w->text[w->count++][length] = '\0';
}

static void add(words *w, const char *text)
{
    add_word(w, text, strlen(text));
}

static bool is_ignored(const char *word)
{
    static const char *const idle[] = {
#define MOD(...)
#define IDLE(word, group, why) word,
#include "collect/ptx/modifier.def"
#undef MOD
    };
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (strcmp(word, idle[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (strcmp(word, ignored[i]) == 0)
            return true;
    return strstr(word, "sp::") != NULL;
}

/* The words of an opcode as written; those that change nothing are left out unless a field holds them. */
static void split(const char *text, words *w)
{
    w->count = 0;
    for (const char *dot = strchr(text, '.'); dot;) {
        const char *const word = dot + 1;
        dot = strchr(word, '.');
        add_word(w, word, dot ? (size_t)(dot - word) : strlen(word));
    }
}

static void rebuild(const ws_insn *insn, words *w)
{
    w->count = 0;
    for (unsigned i = 0; i < insn->types; i++)
        add(w, ws_type_name(insn->type[i]));
    if (insn->vec > 1) {
        const char vec[] = {'v', (char)('0' + insn->vec), '\0'};
        add(w, vec);
    }
    if (insn->op != WS_OP_call) /* implies the parameter space */
        add(w, insn->shared_cta ? "shared::cta" : space_words[insn->space]);
    add(w, round_words[insn->round]);
    add(w, cmp_words[insn->cmp]);
    add(w, half_words[insn->half]);
    add(w, sub_words[insn->sub]);
    if (insn->sub == WS_SUB_WARP)
        add(w, "sync");
    add(w, sub_words[insn->boolop]);
    add(w, order_words[insn->order]);
    if (insn->order == WS_ORDER_MMIO)
        add(w, "relaxed");
    add(w, insn->op == WS_OP_membar && insn->scope == WS_SCOPE_GPU ? "gl" : scope_words[insn->scope]);
    if (insn->scale)
        add(w, insn->scale == 7 ? "shr7" : "shr15");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (((const uint8_t *)insn)[flags[i].field])
            add(w, flags[i].word);
}

/* Spellings that the fields hold in one way only. */
static const char *canonical(const char *word, const ws_insn *insn)
{
    static const struct {
        const char *written, *kept;
    } same[] = {{"shared::cluster", "shared"}, {"param::entry", "param"}, {"param::func", "param"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(word, same[i].written) == 0)
            return same[i].kept;
    if (insn->op == WS_OP_cp && strcmp(word, "global") == 0)
        return ""; /* where cp.async reads from; the field names where it writes */
    return word;
}

static bool take(words *w, const char *word)
{
    for (unsigned i = 0; i < w->count; i++) {
        if (strcmp(w->text[i], word) == 0) {
            memmove(w->text[i], w->text[--w->count], SPELLING_BYTES);
            return true;
        }
    }
    return false;
}

static void check_words(const ws_insn *insn)
{
    words written, kept;
    split(insn->text, &written);
    rebuild(insn, &kept);
    for (unsigned i = 0; i < written.count; i++) {
        const char *const word = canonical(written.text[i], insn);
        if (*word && !take(&kept, word) && !is_ignored(word))
            fail_msg("%s: .%s is in no field", insn->text, word);
    }
    if (insn->op == WS_OP_ldu)
        take(&kept, "global"); /* its space when none is written */
    if (kept.count)
        fail_msg("%s: .%s was not written", insn->text, kept.text[0]);
}

static const char *const frame =
    ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".func (.reg .u32 %%o) f(.reg .u32 %%a, .reg .u32 %%b);\n"
    ".entry k(.param .u64 arg)\n{\n"
    ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .f32 %%f<9>; .reg .f64 %%d<9>;\n"
    "list: .branchtargets L, L2;\nproto: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
    "L:\n%s %s;\nL2:\nret;\n}\n";

static void check_one(void *unused, const char *opcode, const char *operands)
{
    (void)unused;
    char text[TEXT_BYTES];
    ws_module *module;
    const int n = snprintf(text, sizeof text, frame, opcode, operands);
    assert_in_range(n, 1, sizeof text - 1);
    if (ws_ptx_parse("t", text, (size_t)n, &module) != WS_OK)
        fail_msg("%s %s: %s", opcode, operands, ws_message());
    const ws_function *const k = ws_module_function(module, "k");
    assert_int_equal(k->insns, 2);
    const ws_insn *const insn = &k->insn[0];
    assert_string_equal(insn->text, opcode);
    if (insn->unsupported)
        fail_msg("%s %s: %s", opcode, operands, insn->unsupported);
    assert_int_not_equal(insn->op, WS_OP_UNKNOWN);
    assert_memory_equal(op_name(insn->op), opcode, strlen(op_name(insn->op)));
    assert_in_range(ws_ptx_class(insn), 0, WS_CLASSES - 1);
    assert_in_range(ws_ptx_dsts(insn), 0, 1);
    check_words(insn);
    ws_module_destroy(module);
}

static void isa_variants(void **state)
{
    (void)state;
    unsigned n = 0;
    for (size_t i = 0; i < VARIANTS; i++)
        n += expand("", &variants[i], check_one, NULL);
    assert_true(n > 2500);
}

/* Each opcode of the table is spelled somewhere in the variants. */
static void every_opcode_has_variants(void **state)
{
    (void)state;
    for (unsigned op = 1; op < WS_OPS; op++) {
        bool found = false;
        for (size_t i = 0; i < VARIANTS && !found; i++) {
            const char *const hit = strstr(variants[i].pattern, op_name(op));
            const char after = hit ? hit[strlen(op_name(op))] : 'x';
            found = hit && strchr(".{},", after) && (hit == variants[i].pattern || strchr("{,", hit[-1]));
        }
        if (!found)
            fail_msg("%s has no line in ptx_variants.def", op_name(op));
    }
}

/* Operands that fit, by the opcode and what makes its form differ. */
static const char *corpus_operands(const char *opcode)
{
    static const struct {
        const char *start, *operands;
    } table[] = {
        {"activemask", "%r1"},
        {"atom.global.cas", "%r1, [%rd1], %r2, %r3"},
        {"atom.global.sys.cas", "%r1, [%rd1], %r2, %r3"},
        {"atom", "%r1, [%rd1], %r2"},
        {"bar.red", "%r1, 0, %p1"},
        {"bar", "0"},
        {"barrier", "0"},
        {"bfe", "%r1, %r2, 1, 2"},
        {"bfind", "%r1, %r2"},
        {"bfi", "%r1, %r2, %r3, 1, 2"},
        {"bra", "L"},
        {"brev", "%r1, %r2"},
        {"call", "f"},
        {"clz", "%r1, %r2"},
        {"cos", "%f1, %f2"},
        {"cvta", "%rd1, %rd2"},
        {"cvt", "%r1, %r2"},
        {"dp4a", "%r1, %r2, %r3, %r4"},
        {"ex2", "%f1, %f2"},
        {"exit", ""},
        {"fence", ""},
        {"fma", "%f1, %f2, %f3, %f4"},
        {"ld", "$, [%rd1]"},
        {"lg2", "%f1, %f2"},
        {"lop3", "%r1, %r2, %r3, %r4, 0x96"},
        {"mad", "%r1, %r2, %r3, %r4"},
        {"match", "%r1, %r2, -1"},
        {"membar", ""},
        {"mov", "%r1, %r2"},
        {"nanosleep", "40"},
        {"neg", "%r1, %r2"},
        {"not", "%r1, %r2"},
        {"abs", "%r1, %r2"},
        {"popc", "%r1, %r2"},
        {"prefetch", "[%rd1]"},
        {"prmt", "%r1, %r2, %r3, 0x5410"},
        {"rcp", "%f1, %f2"},
        {"red", "[%rd1], %r1"},
        {"ret", ""},
        {"rsqrt", "%f1, %f2"},
        {"selp", "%r1, %r2, %r3, %p1"},
        {"setp", "%p1, %r2, %r3"},
        {"shfl", "%r1|%p1, %r2, 1, 31, -1"},
        {"shf", "%r1, %r2, %r3, 4"},
        {"sin", "%f1, %f2"},
        {"sqrt", "%f1, %f2"},
        {"st", "[%rd1], $"},
        {"suld", "{%r1}, [%rd1, {%r2, %r3}]"},
        {"sust", "[%rd1, {%r2}], {%r3}"},
        {"tex", "{%f1, %f2, %f3, %f4}, [%rd1, {%f5}]"},
        {"trap", ""},
        {"vabsdiff", "%r1, %r2, %r3, %r4"},
        {"vote.sync", "%p1, %p2, -1"},
        {"vote", "%p1, %p2"},
        {"wmma", "{%r1}, [%rd1], %r2"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strncmp(opcode, table[i].start, strlen(table[i].start)) == 0)
            return table[i].operands;
    return "%r1, %r2, %r3";
}

static void corpus_variants(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof corpus / sizeof *corpus; i++) {
        char operands[SPELLING_BYTES];
        with_vector(corpus[i], corpus_operands(corpus[i]), operands, sizeof operands);
        check_one(NULL, corpus[i], operands);
    }
}

/* Wrong words: what is not known, does not belong, or is missing stops the instruction and says why. */
static void wrong_words(void **state)
{
    (void)state;
    static const struct {
        const char *instruction, *reason;
    } table[] = {
        {"frob.u32 %r1, %r2", "unknown opcode frob"},
        {"add.foo.u32 %r1, %r2, %r3", "unknown modifier .foo of add"},
        {"add.global.u32 %r1, %r2, %r3", "modifier .global does not belong to add"},
        {"add.u32 %r1, %r2", "add.u32 takes 3 operands, not 2"},
        {"add.u32 %r1, %r2, %r3, %r4", "add.u32 takes 3 operands, not 4"},
        {"add.u32 5, %r2, %r3", "operand 1 of add.u32 should be a register to write"},
        {"add.u32 %r1|%p1, %r2, %r3", "add.u32 writes one register, not a pair with |"},
        {"add.u32 %r1, [%rd1], %r3", "operand 2 of add.u32 should be a value"},
        {"fma.rn.rz.f32 %f1, %f2, %f3, %f4", "modifier .rz contradicts one before it"},
        {"ld.global.u32 %r1, %rd1", "operand 2 of ld.global.u32 should be an address in [ ]"},
        {"ld.global.v4.u32 {%r1, %r2}, [%rd1]", "operand 1 has 2 elements where ld.global.v4.u32 takes 4"},
        {"st.global.v2.u32 [%rd1], %r1", "operand 2 should have 2 elements in { }"},
        {"setp.s32 %p1, %r1, %r2", "setp needs a comparison such as .lt"},
        {"atom.global.u32 %r1, [%rd1], 1", "atom needs an operation such as .add"},
        {"atom.global.cas.b32 %r1, [%rd1], 1", "atom.global.cas.b32 takes 4 operands, not 3"},
        {"shfl.sync.b32 %r1, %r2, 1, 31, -1", "shfl needs a mode: .up, .down, .bfly or .idx"},
        {"bar.sync", "bar.sync takes 1 operand, not 0"},
        {"barrier.cluster.red", "barrier.cluster needs .arrive or .wait"},
        {"barrier.sync.relaxed 0", "a word that only barrier.cluster has"},
        {"cvt.rn.f16.e2m1x2 %r1, %r2", "unknown modifier .e2m1x2 of cvt"},
        {"cp.async.bulk.shared::cluster.global [%rd1], [%rd2], 16, [%rd3]", "cp needs .async and what it does"},
        {"mov.u32 %r1, %nope", "unknown register %nope"},
        {"mov.u32 %r1, %tid", "special register %tid needs .x, .y or .z"},
        {"mov.u32 %r1, %pm9", "unknown register %pm9"},
        {"mov.u64 %rd1, nowhere", "undeclared name nowhere"},
        {"call nowhere", "undeclared name nowhere"},
        {"neg.s32 %r1, -%r2", "neg.s32 takes no negated register"},
        {"tcgen05.mma.cta_group::1 [%r1], {1, 2 [;", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[TEXT_BYTES];
        ws_module *module;
        const int n = snprintf(text, sizeof text, frame, table[i].instruction, "");
        if (ws_ptx_parse("t", text, (size_t)n, &module) != WS_OK)
            fail_msg("%s: %s", table[i].instruction, ws_message());
        const char *const reason = ws_module_function(module, "k")->insn[0].unsupported;
        assert_non_null(reason);
        if (table[i].reason)
            assert_string_equal(reason, table[i].reason);
        ws_module_destroy(module);
    }
}

static void classes(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        ws_class class;
        unsigned dsts;
    } table[] = {
        {"add.s32 %r1, %r2, %r3", WS_CLASS_INTEGER, 1},
        {"add.f32 %f1, %f2, %f3", WS_CLASS_FLOAT, 1},
        {"mov.f32 %f1, %f2", WS_CLASS_INTEGER, 1},
        {"selp.f64 %d1, %d2, %d3, %p1", WS_CLASS_INTEGER, 1},
        {"setp.lt.f32 %p1, %f2, %f3", WS_CLASS_FLOAT, 1},
        {"setp.lt.s32 %p1, %r2, %r3", WS_CLASS_INTEGER, 1},
        {"cvt.rn.f32.s32 %f1, %r2", WS_CLASS_FLOAT, 1},
        {"cvt.rzi.s32.f32 %r1, %f2", WS_CLASS_FLOAT, 1},
        {"cvt.u64.u32 %rd1, %r2", WS_CLASS_INTEGER, 1},
        {"div.s32 %r1, %r2, %r3", WS_CLASS_INTEGER, 1},
        {"div.rn.f32 %f1, %f2, %f3", WS_CLASS_SPECIAL, 1},
        {"sqrt.rn.f64 %d1, %d2", WS_CLASS_SPECIAL, 1},
        {"slct.f32.s32 %f1, %f2, %f3, %r1", WS_CLASS_INTEGER, 1},
        {"slct.u32.f32 %r1, %r2, %r3, %f1", WS_CLASS_FLOAT, 1},
        {"ld.global.u32 %r1, [%rd1]", WS_CLASS_MEMORY, 1},
        {"st.global.u32 [%rd1], %r1", WS_CLASS_MEMORY, 0},
        {"red.global.add.u32 [%rd1], %r1", WS_CLASS_MEMORY, 0},
        {"bar.sync 0", WS_CLASS_BARRIER, 0},
        {"bar.red.popc.u32 %r1, 0, %p1", WS_CLASS_BARRIER, 1},
        {"bra L", WS_CLASS_BRANCH, 0},
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1", WS_CLASS_EXCHANGE, 1},
        {"exit", WS_CLASS_OTHER, 0},
        {"cp.async.ca.shared.global [%rd1], [%rd2], 16", WS_CLASS_MEMORY, 0},
        {"cp.async.wait_all", WS_CLASS_OTHER, 0},
        {"mbarrier.init.shared.b64 [%rd1], 1", WS_CLASS_MEMORY, 0},
        {"mbarrier.arrive.shared.b64 %rd2, [%rd1]", WS_CLASS_MEMORY, 1},
        {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%r1}, %r2", WS_CLASS_MEMORY, 0},
        {"frob", WS_CLASS_OTHER, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[TEXT_BYTES];
        ws_module *module;
        const int n = snprintf(text, sizeof text, frame, table[i].instruction, "");
        assert_int_equal(ws_ptx_parse("t", text, (size_t)n, &module), WS_OK);
        const ws_insn *const insn = &ws_module_function(module, "k")->insn[0];
        if (ws_ptx_class(insn) != table[i].class || ws_ptx_dsts(insn) != table[i].dsts)
            fail_msg("%s: class %d, %u written", table[i].instruction, ws_ptx_class(insn), ws_ptx_dsts(insn));
        ws_module_destroy(module);
    }
}

static void types(void **state)
{
    (void)state;
    assert_int_equal(ws_type_bits(WS_T_f64), 64);
    assert_int_equal(ws_type_bits(WS_T_pred), 1);
    assert_int_equal(ws_type_kind_of(WS_T_s16), WS_KIND_SINT);
    assert_int_equal(ws_type_kind_of(WS_T_bf16x2), WS_KIND_FLOAT);
    assert_string_equal(ws_type_name(WS_T_u64), "u64");
    assert_string_equal(op_name(WS_OP_ld), "ld");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(isa_variants),    cmocka_unit_test(every_opcode_has_variants),
        cmocka_unit_test(corpus_variants), cmocka_unit_test(wrong_words),
        cmocka_unit_test(classes),         cmocka_unit_test(types),
    };
    return cmocka_run_group_tests_name("ptx variants", tests, NULL, NULL);
}
