/* decode_texture.c - tex, tld4, txq and suld, sust, sured, suq to uops with a record of what they access. */
#include "collect/simt/decode_internal.h"
#include "collect/simt/texture_internal.h"

#include <string.h>

/* ---- words ---- */

/* What the words behind the opcode say; types and vectors stand in the instruction. */
typedef struct words {
    const struct shape *shape;
    char mode;      /* 'l'evel, 'g'rad, 0: base */
    bool formatted; /* .p */
    bool has_edge;
    uint8_t edge, component, query, bytes;
    bool has_component;
} words;

static const struct shape {
    const char *word;
    uint8_t dims;
    bool layered, cube;
} shapes[] = {{"1d", 1, false, false}, {"2d", 2, false, false},  {"3d", 3, false, false}, {"a1d", 1, true, false},
              {"a2d", 2, true, false}, {"cube", 3, false, true}, {"acube", 3, true, true}};

static const struct {
    const char *word;
    uint8_t query;
} queries[] = {{"width", QUERY_WIDTH},
               {"height", QUERY_HEIGHT},
               {"depth", QUERY_DEPTH},
               {"array_size", QUERY_LAYERS},
               {"channel_data_type", QUERY_DATA_TYPE},
               {"channel_order", QUERY_ORDER},
               {"normalized_coords", QUERY_NORMALIZED},
               {"num_mipmap_levels", QUERY_LEVELS},
               {"num_samples", QUERY_SAMPLES}};

static const char *const edges[] = {[SURFACE_TRAP] = "trap", [SURFACE_CLAMP] = "clamp", [SURFACE_ZERO] = "zero"};
static const char *const modes[] = {"level", "grad", "base"};
static const char *const channels[] = {"r", "g", "b", "a"};

static bool is(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && !memcmp(word, what, length);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Types, vectors, cache hints and atomic operations, which the parser has understood. */
static bool is_parsed(const ws_insn *in, const char *word, size_t length)
{
    static const struct {
        ws_op op;
        const char *words[8];
    } others[] = {{WS_OP_tex, {"v2", "v4"}},
                  {WS_OP_tld4, {"v4"}},
                  {WS_OP_suld, {"b", "v2", "v4", "ca", "cg", "cs", "cv"}},
                  {WS_OP_sust, {"b", "v2", "v4", "wb", "cg", "cs", "wt"}},
                  {WS_OP_sured, {"b", "add", "min", "max", "and", "or"}}};
    for (unsigned t = 1; t < WS_TYPES; t++)
        if (is(word, length, ws_type_name((ws_type)t)))
            return true;
    for (size_t i = 0; i < COUNT(others); i++)
        for (size_t k = 0; k < COUNT(others[i].words) && others[i].op == in->op && others[i].words[k]; k++)
            if (is(word, length, others[i].words[k]))
                return true;
    return false;
}

static bool read_word(const ws_insn *in, words *out, const char *word, size_t length)
{
    const bool surface = in->op == WS_OP_suld || in->op == WS_OP_sust || in->op == WS_OP_sured;
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (is(word, length, shapes[i].word))
            return !out->shape && (out->shape = &shapes[i]);
    for (size_t i = 0; i < COUNT(queries) && (in->op == WS_OP_txq || in->op == WS_OP_suq); i++)
        if (is(word, length, queries[i].word))
            return !out->query && (out->query = queries[i].query);
    for (uint8_t i = 0; i < COUNT(edges) && surface; i++)
        if (is(word, length, edges[i]))
            return !out->has_edge && (out->edge = i, out->has_edge = true);
    for (uint8_t i = 0; i < COUNT(channels) && in->op == WS_OP_tld4; i++)
        if (is(word, length, channels[i]))
            return !out->has_component && (out->component = i, out->has_component = true);
    for (size_t i = 0; i < COUNT(modes) && (in->op == WS_OP_tex || in->op == WS_OP_txq); i++)
        if (is(word, length, modes[i]))
            return out->mode = i < 2 ? modes[i][0] : '\0', true;
    if (surface && is(word, length, "p"))
        return out->formatted = true;
    return is_parsed(in, word, length);
}

static int read_words(builder *b, words *out)
{
    *out = (words){0};
    for (const char *dot = strchr(b->insn->text, '.'); dot;) {
        const char *const word = dot + 1;
        dot = strchr(word, '.');
        const size_t length = dot ? (size_t)(dot - word) : strlen(word);
        if (!read_word(b->insn, out, word, length))
            return decode_refuse(b, "is not supported: .%.*s", (int)(length < 64 ? length : 64), word);
    }
    return WS_OK;
}

/* ---- operands ---- */

static int handle_source_of(builder *b, const ws_operand *o, handle_source *out)
{
    *out = (handle_source){.param = -1, .wide = true};
    const ws_variable *const v = o->kind == WS_OPND_SYMBOL ? o->variable : NULL;
    if (o->kind == WS_OPND_REG) {
        const unsigned bits = ws_type_bits(decode_reg_type(b, o->reg));
        if (bits != 32 && bits != 64)
            return decode_refuse(b, "has a handle in a register of %u bits", bits);
        out->wide = bits > 32;
        return place_source(b, o, out->wide ? WS_T_u64 : WS_T_u32, &out->at);
    }
    if (v && v->space == WS_SPACE_TEXTURE && !v->owner && b->kernel->image->address[v->index])
        return place_constant(b, true, b->kernel->image->address[v->index], &out->at);
    if (v && b->fn->is_entry && decode_within(v, b->fn->param, b->fn->params) &&
        ws_type_kind_of(v->type) == WS_KIND_OPAQUE) {
        out->param = (int32_t)v->offset;
        return WS_OK;
    }
    return decode_refuse(b, "needs a texture, sampler or surface: a variable or parameter of such a type, or a handle");
}

/* Numbers of one register or in { }: as many as `n`, maybe one more that is not looked at. */
static int numbers(builder *b, const ws_operand *o, unsigned n, ws_type type, place *out)
{
    const unsigned has = o->kind == WS_OPND_VECTOR ? o->elems : 1;
    const ws_operand *const elem = o->kind == WS_OPND_VECTOR ? o->elem : o;
    if (has < n || has > 4)
        return decode_refuse(b, "has %u coordinates where it takes %u", has, n);
    int status = WS_OK;
    for (unsigned i = 0; i < n && !status; i++)
        status = place_source(b, &elem[i], type, &out[i]);
    return status;
}

/* [handle, {coordinates}] or [handle, sampler, {coordinates}] */
static int read_place(builder *b, texture_access *a, const ws_operand *o)
{
    if (o->kind != WS_OPND_ADDRESS || o->elems < 2 || o->elems > 3 || o->offset)
        return decode_refuse(b, "needs a handle and coordinates in brackets");
    const ws_operand *at = &o->elem[o->elems - 1],
                     rest = {.kind = WS_OPND_VECTOR, .elem = at->elem + 1, .elems = (uint16_t)(at->elems - 1)};
    int status = handle_source_of(b, &o->elem[0], &a->handle);
    a->has_sampler = o->elems == 3;
    if (!status && a->has_sampler)
        status = handle_source_of(b, &o->elem[1], &a->sampler);
    if (status)
        return status;
    if (a->layered) {
        if (at->kind != WS_OPND_VECTOR || at->elems < 2)
            return decode_refuse(b, "needs a layer and coordinates");
        status = place_source(b, &at->elem[0], WS_T_u32, &a->layer);
        at = &rest;
    }
    return status ? status : numbers(b, at, a->dims, a->integer ? WS_T_s32 : WS_T_f32, a->coordinate);
}

static const ws_operand *element(const ws_operand *o, unsigned i)
{
    return o->kind == WS_OPND_VECTOR ? &o->elem[i] : o;
}

/* Registers to write; results that have to be converted go through temporaries. */
static int results(builder *b, texture_access *a, const ws_operand *o, ws_type type, destination d[4])
{
    if ((o->kind == WS_OPND_VECTOR ? o->elems : 1) != a->vec)
        return decode_refuse(b, "has %u registers for %u elements", o->kind == WS_OPND_VECTOR ? o->elems : 1u, a->vec);
    for (unsigned i = 0; i < a->vec; i++) {
        const ws_operand *const e = element(o, i);
        if (e->kind == WS_OPND_SINK || e->kind == WS_OPND_NONE) {
            a->sink[i] = true;
            continue;
        }
        if (e->kind != WS_OPND_REG)
            return decode_refuse(b, "writes to an operand that is not supported");
        const int status = place_destination(b, e, type, &d[i]);
        if (status)
            return status;
        a->data[i] = d[i].at;
        a->data_wide[i] = ws_type_bits(type) > 32;
        a->bits[i] = d[i].adapt ? 0 : d[i].bits;
        a->number[i] = d[i].number;
    }
    return WS_OK;
}

static int finish_results(builder *b, const texture_access *a, const destination d[4])
{
    int status = WS_OK;
    for (unsigned i = 0; i < a->vec && !status; i++)
        if (!a->sink[i] && d[i].adapt)
            status = place_finish(b, &d[i]);
    return status;
}

static int begin_access(builder *b, texture_access **out, words *w)
{
    texture_access *const a = *out = ws_arena_alloc(b->c->arena, sizeof *a);
    if (!a)
        return decode_no_memory();
    a->cache = b->c->caches++;
    a->level = texture_level_get();
    return read_words(b, w);
}

static void set_shape(texture_access *a, const words *w)
{
    a->dims = w->shape->dims;
    a->layered = w->shape->layered;
    a->cube = w->shape->cube;
}

/* ---- textures ---- */

static int result_type(builder *b, texture_access *a)
{
    const ws_insn *const in = b->insn;
    if (in->types != 2)
        return decode_refuse(b, "needs the types of result and coordinates");
    a->type = in->type[0];
    a->integer = in->type[1] == WS_T_s32;
    if (in->type[1] != WS_T_s32 && in->type[1] != WS_T_f32)
        return decode_refuse(b, "is not supported: coordinates of type .%s", ws_type_name(in->type[1]));
    if (a->type != WS_T_u32 && a->type != WS_T_s32 && a->type != WS_T_f32 && a->type != WS_T_f16 &&
        a->type != WS_T_f16x2)
        return decode_refuse(b, "is not supported: results of type .%s", ws_type_name((ws_type)a->type));
    if (a->integer && a->cube)
        return decode_refuse(b, "is not supported: a cube by whole numbers");
    if (a->type == WS_T_f16x2 && in->vec != 2)
        return decode_refuse(b, "needs two registers for four channels of .f16x2");
    return WS_OK;
}

/* Behind the coordinates: level of detail or gradients, which choose among mipmap levels and there is one; offsets. */
static int read_rest(builder *b, texture_access *a, const words *w)
{
    const ws_insn *const in = b->insn;
    const unsigned at = 2 + (w->mode == 'l' ? 1 : w->mode == 'g' ? 2 : 0);
    if (in->operands < at)
        return decode_refuse(b, "lacks an operand");
    if (in->operands == at)
        return WS_OK;
    const ws_operand *const o = &in->operand[at];
    if (in->operands > at + 1 || (o->kind != WS_OPND_VECTOR && a->dims > 1))
        return decode_refuse(b, "is not supported: comparison of depths");
    a->has_offset = true;
    return numbers(b, o, a->cube ? 2 : a->dims, WS_T_s32, a->offset);
}

static int decode_fetch(builder *b)
{
    const ws_insn *const in = b->insn;
    texture_access *a;
    words w;
    int status = begin_access(b, &a, &w);
    if (status)
        return status;
    if (!w.shape)
        return decode_refuse(b, "needs a geometry such as .2d");
    set_shape(a, &w);
    a->op = in->op == WS_OP_tld4 ? TEXTURE_GATHER : TEXTURE_FETCH;
    a->kind = WS_IS_TEXTURE;
    a->component = w.component;
    a->vec = in->vec ? in->vec : 1;
    a->resident = PLACE_NONE;
    if (in->second.kind == WS_OPND_REG && decode_reg_type(b, in->second.reg) == WS_T_pred)
        a->resident = place_reg(b, in->second.reg);
    else if (in->second.kind != WS_OPND_NONE && in->second.kind != WS_OPND_SINK)
        return decode_refuse(b, "needs a predicate behind |");
    if (a->vec > 4 ||
        (a->op == TEXTURE_GATHER && (a->vec != 4 || !w.has_component || a->dims == 1 || w.shape->word[0] == '3')))
        return decode_refuse(b, "has a form that the instruction does not have");
    destination d[4] = {{0}};
    status = result_type(b, a);
    if (!status)
        status = read_place(b, a, &in->operand[1]);
    if (!status)
        status = read_rest(b, a, &w);
    if (!status)
        status = results(b, a, &in->operand[0], a->type == WS_T_f16 ? WS_T_b16 : WS_T_b32, d);
    if (!status)
        status = decode_emit_access(b, texture_run, a, 0);
    return status ? status : finish_results(b, a, d);
}

/* txq and suq: d, [handle] {, level} */
static int decode_query(builder *b)
{
    const ws_insn *const in = b->insn;
    texture_access *a;
    words w;
    int status = begin_access(b, &a, &w);
    if (status)
        return status;
    if (!w.query)
        return decode_refuse(b, "is not supported: no property that can be asked for");
    const ws_operand *const o = &in->operand[1];
    if (in->operands < 2 || o->kind != WS_OPND_ADDRESS || o->elems != 1 || o->offset)
        return decode_refuse(b, "needs a handle in brackets");
    a->kind = in->op == WS_OP_suq ? WS_IS_SURFACE : WS_IS_TEXTURE;
    a->query = w.query;
    destination d = {0};
    uop *u;
    status = handle_source_of(b, &o->elem[0], &a->handle);
    if (!status)
        status = place_destination(b, &in->operand[0], WS_T_b32, &d);
    if (!status)
        status = decode_emit_special(b, texture_ask, d.at, PLACE_NONE, PLACE_NONE, PLACE_NONE, &u);
    if (status)
        return status;
    u->info = a;
    return place_finish(b, &d);
}

/* ---- surfaces ---- */

static const ws_type by_bytes[9] = {[1] = WS_T_b8, [2] = WS_T_b16, [4] = WS_T_b32, [8] = WS_T_b64};

static int surface_type(builder *b, texture_access *a)
{
    const ws_insn *const in = b->insn;
    if (in->types != 1)
        return decode_refuse(b, "needs one type");
    a->type = in->type[0];
    a->vec = in->vec ? in->vec : 1;
    a->bytes = (uint8_t)(ws_type_bits(a->type) / 8);
    if (!a->bytes || a->bytes > 8 || a->vec * a->bytes > 16 || (a->formatted && a->bytes != 4))
        return decode_refuse(b, "is not supported: %u elements of type .%s", a->vec, ws_type_name((ws_type)a->type));
    if (a->op != SURFACE_REDUCE)
        return WS_OK;
    if (a->formatted)
        return decode_refuse(b, "is not supported: a reduction in texels");
    a->sub = in->sub;
    const bool is_known = in->sub == WS_SUB_ADD || in->sub == WS_SUB_MIN || in->sub == WS_SUB_MAX ||
                          in->sub == WS_SUB_AND || in->sub == WS_SUB_OR;
    return is_known && a->bytes >= 4 && a->vec == 1 ? WS_OK : decode_refuse(b, "is a reduction that is not supported");
}

static int stored_values(builder *b, texture_access *a, const ws_operand *o)
{
    const unsigned has = o->kind == WS_OPND_VECTOR ? o->elems : 1;
    if (has != a->vec)
        return decode_refuse(b, "has %u registers for %u elements", has, a->vec);
    int status = WS_OK;
    for (unsigned i = 0; i < has && !status; i++) {
        status = place_source(b, element(o, i), by_bytes[a->bytes], &a->data[i]);
        a->data_wide[i] = a->bytes == 8;
    }
    return status;
}

static int decode_surface(builder *b)
{
    const ws_insn *const in = b->insn;
    texture_access *a;
    words w;
    int status = begin_access(b, &a, &w);
    if (status)
        return status;
    if (!w.shape || w.shape->cube)
        return decode_refuse(b, "is not supported: no geometry that surfaces have");
    const bool loads = in->op == WS_OP_suld;
    set_shape(a, &w);
    a->op = loads ? SURFACE_LOAD : in->op == WS_OP_sust ? SURFACE_STORE : SURFACE_REDUCE;
    a->kind = WS_IS_SURFACE;
    a->integer = true;
    a->edge = w.edge;
    a->formatted = w.formatted;
    if (in->operands != 2 || (loads && a->formatted))
        return decode_refuse(b, "has a form that the instruction does not have");
    destination d[4] = {{0}};
    status = surface_type(b, a);
    if (!status)
        status = read_place(b, a, &in->operand[loads ? 1 : 0]);
    if (!status)
        status = loads ? results(b, a, &in->operand[0], by_bytes[a->bytes], d) : stored_values(b, a, &in->operand[1]);
    if (!status)
        status = decode_emit_access(b, texture_run, a, 0);
    return status || !loads ? status : finish_results(b, a, d);
}

int decode_texture(builder *b)
{
    switch (b->insn->op) {
    case WS_OP_tex:
    case WS_OP_tld4:
        return decode_fetch(b);
    case WS_OP_txq:
    case WS_OP_suq:
        return decode_query(b);
    default:
        return decode_surface(b);
    }
}
