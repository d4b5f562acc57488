/* test_modifiers.c - each modifier of each opcode: does it change what the decoder makes of the instruction? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/simt/async_internal.h"
#include "collect/simt/matrix_internal.h"
#include "collect/simt/texture_internal.h"
#include "tests/unit/op_names.h"
#include "tests/unit/page_table.h"
#include "tests/unit/ptx_variants.h"

enum { TEXT_BYTES = 4096, PRINT_BYTES = 1 << 16 };

/* ---- what the decoder makes of an instruction */

typedef struct print {
    size_t n;
    unsigned char bytes[PRINT_BYTES];
} print;

static void put(print *p, const void *from, size_t n)
{
    assert_in_range(p->n + n, 0, PRINT_BYTES);
    memcpy(p->bytes + p->n, from, n);
    p->n += n;
}

static void put_fragment(print *p, const matrix_fragment *f)
{
    put(p, &f->type, offsetof(matrix_fragment, at));
    put(p, f->at, (size_t)f->distinct * f->per_reg * WS_WARP * sizeof *f->at);
}

static void put_info(print *p, const uop *u)
{
    if (u->kind == UOP_MEMORY) {
        put(p, u->info, sizeof(mem_access));
    } else if (u->kind == UOP_ACCESS && u->access == matrix_transfer_run) {
        const matrix_transfer *const t = u->info;
        put(p, &t->access, sizeof t->access);
        put_fragment(p, &t->part);
        put(p, (const bool[]){t->column, t->store}, 2);
    } else if (u->kind == UOP_ACCESS && u->access == matrix_rows_run) {
        put(p, u->info, sizeof(matrix_rows));
    } else if (u->kind == UOP_ACCESS && (u->access == async_copy_run || u->access == async_bulk_run ||
                                         u->access == async_arrive_run || u->access == mbarrier_run)) {
        put(p, u->info, sizeof(async_op));
    } else if (u->kind == UOP_ACCESS || (u->kind == UOP_SPECIAL && u->info && u->special == texture_ask)) {
        put(p, u->info, offsetof(texture_access, handle));
    } else if (u->kind == UOP_SPECIAL && u->special == matrix_product_run) {
        const matrix_product *const m = u->info;
        put(p, &m->form, offsetof(matrix_form, quads) + sizeof m->form.quads);
    } else if (u->kind == UOP_SPECIAL && u->info && u->special == exchange_shfl) {
        put(p, u->info, 3 * sizeof(place));
    }
}

/* Everything that the decoder makes of the kernel, without where it stands in the text. */
static void put_code(print *p, const ws_kernel *kernel)
{
    const code *const c = &kernel->code;
    p->n = 0;
    for (uint32_t i = 0; i < c->instrs; i++) {
        ws_instr in = c->instr[i];
        in.opcode = NULL;
        in.line = in.column = 0;
        put(p, &in, sizeof in);
    }
    for (uint32_t i = 0; i < c->uops; i++) {
        const uop *const u = &c->uop[i];
        put_info(p, u);
        put(p, u, offsetof(uop, dst_reg) + sizeof u->dst_reg);
    }
    put(p, c->constants, c->constant_bytes);
    put(p, &c->waits, sizeof c->waits);
}

static const char *const kernel_text =
    ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".func (.reg .u32 %%o) f(.reg .u32 %%a, .reg .u32 %%b) { ret; }\n"
    ".entry k(.param .u64 arg)\n{\n"
    ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .f32 %%f<9>; .reg .f64 %%d<9>; "
    ".reg .b128 %%q<9>;\n"
    "list: .branchtargets L, L2;\nproto: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
    "L:\n%s %s;\nL2:\nret;\n}\n";

/* False: the kernel is refused, and ws_message() says why. */
static bool decode(ws_device *device, const char *opcode, const char *operands, print *out)
{
    char text[TEXT_BYTES];
    ws_module *module;
    ws_image *image;
    ws_kernel *kernel;
    const int n = snprintf(text, sizeof text, kernel_text, opcode, operands);
    assert_in_range(n, 1, sizeof text - 1);
    if (ws_ptx_parse("t", text, (size_t)n, &module) != WS_OK)
        return false;
    assert_int_equal(ws_image_load(device, module, &image), WS_OK);
    const bool runs = ws_image_kernel(image, "k", &kernel) == WS_OK;
    if (runs)
        put_code(out, kernel);
    ws_image_unload(image);
    ws_module_destroy(module);
    return runs;
}

/* ---- what becomes of each word of each opcode */

enum { MOD_ROW = 1, IDLE_ROW = 2, MOST_WORDS = 256 };

typedef struct verdict {
    bool differs, same;             /* with the word and without it, or with another one instead */
    char where[2 * SPELLING_BYTES]; /* the first place where it is the same */
} verdict;

static const struct {
    const char *word;
    unsigned kind;
    const char *why;
} rows[] = {
#define MOD(word, group, field, value) {word, MOD_ROW, NULL},
#define IDLE(word, group, why)         {word, IDLE_ROW, why},
#include "collect/ptx/modifier.def"
#undef MOD
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct {
    const char *word, *opcodes, *why;
} idle_in[] = {
#define MOD(...)
#define IDLE_IN(word, opcodes, why) {word, opcodes, why},
#include "collect/ptx/modifier.def"
#undef MOD
};
enum { IDLE_INS = sizeof idle_in / sizeof *idle_in };

typedef struct walk {
    ws_device *device;
    const char *word[MOST_WORDS]; /* of the rows, each once */
    unsigned kind[MOST_WORDS];    /* of its rows: MOD_ROW, IDLE_ROW or both */
    unsigned words;
    verdict (*of)[MOST_WORDS]; /* [WS_OPS] */
    bool seen[WS_OPS];
    bool met[IDLE_INS]; /* rows of words that the decoder reads itself */
    unsigned wrong;
} walk;

/* Matrices need more registers than the spellings have; others are rare. */
static const spelling more[] = {
    {"ld.global.v8.b32", "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1]"},
    {"cvta.shared::cta.u64", "%rd1, %rd2"},
    {"cvta.shared::cluster.u64", "%rd1, %rd2"},
    {"cvta.param::entry.u64", "%rd1, %rd2"},
    {"cvta.param::func.u64", "%rd1, %rd2"},
    {"isspacep.param::func", "%p1, %rd2"},
    {"mma.sync.aligned.m8n8k4.row.col.rn.f64.f64.f64.f64", "{%d1, %d2}, {%d3}, {%d4}, {%d5, %d6}"},
    {"wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64", "{%d1, %d2}, {%d3}, {%d4}, {%d5, %d6}"},
    {"mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32", "{%r1, %r2}, {%r3}, {%r4}, {%r5, %r6}"},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", "{%r1, %r2}, {%r3, %r4}, {%r5}, {%r6, %r7}"},
    {"wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32.satfinite", "{%r1, %r2}, {%r3}, {%r4}, {%r5, %r6}"},
    {"wmma.load.c.sync.aligned.row.m8n8k32.s32", "{%r1, %r2}, [%rd1], %r3"},
    {"wmma.load.c.sync.aligned.row.m8n8k32.global.s32", "{%r1, %r2}, [%rd1], %r3"},
    {"wmma.load.c.sync.aligned.row.m8n8k32.shared::cta.s32", "{%r1, %r2}, [%rd1], %r3"},
    {"wmma.store.d.sync.aligned.row.m8n8k32.shared.s32", "[%rd1], {%r1, %r2}, %r3"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", "[%r1], [%rd2], 16, [%r3]"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "[%r1], [%r2], 16, [%r3]"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster",
     "[%r1], [%rd2], 16, [%r3], %h1"},
    {"cp.async.bulk.prefetch.L2.global", "[%rd1], 16"},
    {"cp.async.bulk.wait_group.read", "0"},
};

static void complain(walk *w, const char *what, const char *word, const char *op, const char *where)
{
    print_error(".%s of %s %s%s%s\n", word, op, what, *where ? ": " : "", where);
    w->wrong++;
}

static void note(walk *w, unsigned op, unsigned word, bool same, const char *spelled, const char *other)
{
    verdict *const v = &w->of[op][word];
    if (same && !v->same)
        snprintf(v->where, sizeof v->where, "%s and %s", spelled, other);
    v->same |= same;
    v->differs |= !same;
}

static bool is_accepted(const char *opcode, ws_insn *form)
{
    ws_ptx_form_of_text(opcode, form);
    form->text = NULL;
    return !form->unsupported;
}

/* Its decoder reads the words itself, so that equal forms may mean different things. */
static bool reads_text(unsigned op)
{
    static const uint16_t readers[] = {WS_OP_cp,       WS_OP_tex,      WS_OP_tld4,     WS_OP_txq, WS_OP_suq,
                                       WS_OP_suld,     WS_OP_sust,     WS_OP_sured,    WS_OP_mma, WS_OP_wmma,
                                       WS_OP_ldmatrix, WS_OP_stmatrix, WS_OP_movmatrix};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i] == op)
            return true;
    return false;
}

/* Where the word stands in the opcode: at its point. */
static const char *find_word(const char *opcode, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.'))
        if (!strncmp(at + 1, word, n) && (!at[n + 1] || at[n + 1] == '.'))
            return at;
    return NULL;
}

typedef struct base {
    const char *opcode, *operands;
    ws_insn form;
    unsigned op;
    bool is_decoded;
} base;

static print first, second; /* of the spelling, and of one that differs by a word */

/* Compares the spelling with another one: false when that is refused. */
static bool compare(walk *w, base *b, unsigned word, const char *other)
{
    ws_insn form;
    if (!is_accepted(other, &form))
        return false;
    if (!reads_text(b->op) && !memcmp(&form, &b->form, sizeof form)) {
        note(w, b->op, word, true, b->opcode, other);
        return true;
    }
    if (w->of[b->op][word].differs)
        return true;
    if (!decode(w->device, other, b->operands, &second))
        return false;
    note(w, b->op, word, first.n == second.n && !memcmp(first.bytes, second.bytes, first.n), b->opcode, other);
    return true;
}

static void one_word(walk *w, base *b, unsigned word)
{
    char other[SPELLING_BYTES + 64];
    const char *const text = w->word[word], *const at = find_word(b->opcode, text), *const dot = strchr(b->opcode, '.');
    const int name = dot ? (int)(dot - b->opcode) : (int)strlen(b->opcode);
    if (!at) {
        snprintf(other, sizeof other, "%.*s.%s%s", name, b->opcode, text, b->opcode + name);
        compare(w, b, word, other);
        return;
    }
    const int before = (int)(at - b->opcode);
    const char *const behind = at + 1 + strlen(text);
    snprintf(other, sizeof other, "%.*s%s", before, b->opcode, behind);
    if (compare(w, b, word, other))
        return;
    bool any = false; /* one of several that the instruction needs */
    for (unsigned i = 0; i < w->words && !w->of[b->op][word].differs; i++) {
        if (i == word)
            continue;
        snprintf(other, sizeof other, "%.*s.%s%s", before, b->opcode, w->word[i], behind);
        any |= compare(w, b, word, other);
    }
    if (!any)
        note(w, b->op, word, false, b->opcode, "");
}

static bool lists(const char *opcodes, const char *op)
{
    const size_t n = strlen(op);
    for (const char *at = opcodes; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == n && !strncmp(at, op, n))
            return true;
        at += length;
    }
    return false;
}

/* The row that says that the word changes nothing there; IDLE_INS: there is none. */
static unsigned idle_row(const char *word, const char *op)
{
    unsigned i = 0;
    while (i < IDLE_INS && (strcmp(idle_in[i].word, word) || !lists(idle_in[i].opcodes, op)))
        i++;
    return i;
}

static bool is_type(const char *word)
{
    for (unsigned t = 1; t < WS_TYPES; t++)
        if (!strcmp(ws_type_name((ws_type)t), word))
            return true;
    return false;
}

/* Words that the decoder of the opcode reads itself act, so that none can be left out without a difference, or have a
 * row of IDLE_IN. */
static void words_of_decoder(walk *w, const base *b)
{
    for (const char *at = strchr(b->opcode, '.'); at; at = strchr(at + 1, '.')) {
        const size_t length = strcspn(at + 1, ".");
        char word[64], other[SPELLING_BYTES];
        snprintf(word, sizeof word, "%.*s", (int)length, at + 1);
        unsigned i = 0;
        while (i < w->words && strcmp(w->word[i], word))
            i++;
        snprintf(other, sizeof other, "%.*s%s", (int)(at - b->opcode), b->opcode, at + 1 + length);
        if (i < w->words || is_type(word) || !decode(w->device, other, b->operands, &second) || first.n != second.n ||
            memcmp(first.bytes, second.bytes, first.n))
            continue;
        const unsigned row = idle_row(word, op_name(b->op));
        if (row < IDLE_INS)
            w->met[row] = true;
        else
            complain(w, "changes nothing, and has no row", word, b->opcode, "");
    }
}

/* Other registers, where the ones that are named are too narrow or too wide. */
static void name_registers(const char *operands, const char *kind, char *out, size_t size)
{
    size_t n = 0;
    for (const char *at = operands; *at && n + 4 < size; at++) {
        const size_t length = *at == '%' ? 1 + strcspn(at + 1, "0123456789") : 0;
        if (kind && length == 2 && at[1] != 'p') {
            n += (size_t)snprintf(out + n, size - n, "%s", kind);
            at++;
        } else {
            out[n++] = *at;
        }
    }
    out[n] = '\0';
}

static void one_spelling(void *context, const char *opcode, const char *operands)
{
    walk *const w = context;
    static const char *const kinds[] = {NULL, "%rd", "%q", "%r", "%h", "%p"};
    char named[2 * SPELLING_BYTES];
    base b = {.opcode = opcode, .operands = named};
    if (!is_accepted(opcode, &b.form))
        fail_msg("%s is refused", opcode);
    b.op = b.form.op;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !b.is_decoded; i++) {
        name_registers(operands, kinds[i], named, sizeof named);
        b.is_decoded = decode(w->device, opcode, named, &first);
    }
    if (!b.is_decoded)
        return; /* what the opcode lacks is told elsewhere */
    w->seen[b.op] = true;
    for (unsigned i = 0; i < w->words; i++)
        one_word(w, &b, i);
    if (reads_text(b.op))
        words_of_decoder(w, &b);
    char other[SPELLING_BYTES + 64];
    const size_t name = strcspn(opcode, ".");
    snprintf(other, sizeof other, "%.*s.frob%s", (int)name, opcode, opcode + name);
    if (decode(w->device, other, named, &second)) {
        print_error("%s runs\n", other);
        w->wrong++;
    }
}

/* The rows say of each word that was met what was found. */
static void judge(walk *w)
{
    for (unsigned i = 0; i < w->words; i++) {
        bool acts = false, idles = false;
        for (unsigned op = 1; op < WS_OPS; op++) {
            const verdict *const v = &w->of[op][i];
            const char *const name = op_name(op);
            const bool told_idle = idle_row(w->word[i], name) < IDLE_INS;
            acts |= v->differs;
            idles |= v->same && !v->differs;
            if (v->differs && (told_idle || w->kind[i] == IDLE_ROW))
                complain(w, "acts, and a row says that it does not", w->word[i], name, "");
            if (v->same && !v->differs && !told_idle && w->kind[i] == MOD_ROW)
                complain(w, "changes nothing, and no row says why", w->word[i], name, v->where);
            if (told_idle && !v->same && w->seen[op])
                complain(w, "is told to change nothing, and was not met", w->word[i], name, "");
        }
        if ((w->kind[i] & MOD_ROW && !acts) || (w->kind[i] & IDLE_ROW && !idles))
            complain(w, "was not met doing what its row says", w->word[i], "all opcodes", "");
    }
    for (unsigned i = 0; i < IDLE_INS; i++) {
        unsigned k = 0;
        while (k < w->words && strcmp(w->word[k], idle_in[i].word))
            k++;
        if (k == w->words && !w->met[i])
            complain(w, "is told to change nothing, and was not met", idle_in[i].word, idle_in[i].opcodes, "");
    }
    for (unsigned op = 1; op < WS_OPS; op++)
        if (!w->seen[op] && op != WS_OP_wgmma) /* which is refused whatever follows */
            complain(w, "was never decoded", "", op_name(op), "");
}

static void each_word_does_what_its_row_says(void **state)
{
    (void)state;
    walk w = {.of = calloc(WS_OPS, sizeof *w.of)};
    assert_non_null(w.of);
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 24}, &w.device), WS_OK);
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned k = 0;
        while (k < w.words && strcmp(w.word[k], rows[i].word))
            k++;
        assert_in_range(k, 0, MOST_WORDS - 1);
        w.word[k] = rows[i].word;
        w.kind[k] |= rows[i].kind;
        w.words += k == w.words;
    }
    for (size_t i = 0; i < VARIANTS; i++)
        expand("", &variants[i], one_spelling, &w);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        one_spelling(&w, more[i].pattern, more[i].operands);
    judge(&w);
    const unsigned wrong = w.wrong;
    ws_device_destroy(w.device);
    free(w.of);
    assert_int_equal(wrong, 0);
}

/* ---- words that go together with nothing */

static void wrong_words_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *opcode, *operands, *why;
    } table[] = {
        {"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.satfinite", "{%d1, %d2}, {%d3}, {%d4}, {%d5, %d6}",
         "matrices with .satfinite that are not of integers"},
        {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16.satfinite", "{%r1, %r2}, {%r3, %r4}, {%r5}, {%r6, %r7}",
         "matrices with .satfinite that are not of integers"},
        {"mma.sync.aligned.m8n8k16.row.col.rn.s32.s8.s8.s32", "{%r1, %r2}, {%r3}, {%r4}, {%r5, %r6}",
         "matrices with .rn that are not of doubles"},
        {"mma.sync.aligned.m8n8k16.row.col.shared.s32.s8.s8.s32", "{%r1, %r2}, {%r3}, {%r4}, {%r5, %r6}",
         "matrices with .shared"},
        {"redux.sync.add.abs.u32", "%r1, %r2, -1", "floats alone have .abs and .NaN"},
        {"redux.sync.min.xorsign.f32", "%f1, %f2, -1", "modifier .xorsign does not belong to redux"},
        {"bar.sync.popc", "0", "an operation without .red"},
        {"barrier.red.pred", "%p1, 0, %p2", ".red needs an operation such as .popc"},
        {"bar.gpu.sync", "0", "modifier .gpu does not belong to bar"},
        {"barrier.cluster.arrive.and", "", "an operation without .red"},
        {"cp.async.ca.global.shared", "[%rd1], [%rd2], 16", "a copy that is not from .global to .shared"},
        {"cp.async.ca.shared.global.read", "[%rd1], [%rd2], 16", "a copy of another kind than .read is of"},
        {"cp.async.ca.noinc.shared.global", "[%rd1], [%rd2], 16", "a copy of another kind than .noinc is of"},
        {"cp.bulk.commit_group", "", "a copy that begins otherwise than cp.async"},
        {"cvt.rni.u32.s32", "%r1, %r2", "not implemented with these types and modifiers"},
        {"cvt.rzi.f64.f32", "%d1, %f2", "not implemented with these types and modifiers"},
        {"ld.global.v2.v4.u32", "{%r1, %r2}, [%rd1]", "modifier .v4 contradicts one before it"},
        {"atom.global.ca.add.u32", "%r1, [%rd1], %r2", "modifier .ca does not belong to atom"},
        {"st.global.nc.u32", "[%rd1], %r1", "modifier .nc does not belong to st"},
        {"fence.volatile.gpu", "", "modifier .volatile does not belong to fence"},
        {"createpolicy.fractional.L3::evict_last.b64", "%rd1, 0f3F800000",
         "unknown modifier .L3::evict_last of createpolicy"},
        {"sust.b.1d.b32.trap.zero", "[%rd1, {%r3}], {%r1}", "is not supported: .zero"},
        {"tld4.r.g.2d.v4.f32.f32", "{%r1, %r2, %r3, %r4}, [%rd1, {%f1, %f2}]", "is not supported: .g"},
    };
    ws_device *device;
    unsigned wrong = 0;
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 24}, &device), WS_OK);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const bool runs = decode(device, table[i].opcode, table[i].operands, &first);
        if (runs || !strstr(ws_message(), table[i].why)) {
            print_error("%s: %s\n", table[i].opcode, runs ? "runs" : ws_message());
            wrong++;
        }
    }
    ws_device_destroy(device);
    assert_int_equal(wrong, 0);
}

/* ---- the page */

/* The words of the rows from i on that have one reason, quoted; returns the number of rows. */
static unsigned quote_words(unsigned i, char *out, size_t size)
{
    unsigned n = 0;
    *out = '\0';
    for (; i + n < ROWS && rows[i + n].kind == rows[i].kind && (!rows[i].why || !strcmp(rows[i + n].why, rows[i].why));
         n++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "%s`.%s`", *out ? " " : "", rows[i + n].word);
        const char *const before = strstr(out, quoted + (*out ? 1 : 0));
        if (!before)
            snprintf(out + strlen(out), size - strlen(out), "%s", quoted);
    }
    return n;
}

static void the_page_has_the_rows(void **state)
{
    (void)state;
    page_table page = page_table_open("docs/ptx.md", "## Modifiers");
    unsigned wrong = 0;
    char line[4096], words[3072];
    for (unsigned i = 0; i < ROWS;) {
        const unsigned n = quote_words(i, words, sizeof words);
        if (rows[i].kind == IDLE_ROW)
            snprintf(line, sizeof line, "| %s | no effect | %s |\n", words, rows[i].why);
        else
            snprintf(line, sizeof line, "| %s | acts | |\n", words);
        wrong += !page_table_has(&page, line);
        i += n;
    }
    for (unsigned i = 0; i < IDLE_INS; i++) {
        snprintf(line, sizeof line, "| `.%s` of `%s` | no effect | %s |\n", idle_in[i].word, idle_in[i].opcodes,
                 idle_in[i].why);
        wrong += !page_table_has(&page, line);
    }
    assert_true(page_table_close(&page));
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_word_does_what_its_row_says),
                                       cmocka_unit_test(wrong_words_are_refused),
                                       cmocka_unit_test(the_page_has_the_rows)};
    return cmocka_run_group_tests_name("modifiers", tests, NULL, NULL);
}
