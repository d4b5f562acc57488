/* card.h - parts of the program `card`: forms of PTX instructions, their inputs and textures. All of it ends the
 * program with a message when something is wrong. */
#ifndef WS_TESTS_CARD_H
#define WS_TESTS_CARD_H

#include <cuda.h>

#include <stddef.h>
#include <stdint.h>

enum { CARD_MOST_SLOTS = 40, CARD_TYPE_BYTES = 12 };

/* Types of a form's inputs or outputs. */
typedef struct {
    char text[400]; /* as the bundle has it: "f32,b32", or "-" */
    char type[CARD_MOST_SLOTS][CARD_TYPE_BYTES];
    unsigned count;
} card_slots;

/* One kernel, k_NAME(.u64 inputs, .u64 outputs, .u64 texture). Slot j of thread i is the 64-bit word j * threads + i of
 * the inputs, and of the outputs. */
typedef struct {
    char name[160];
    char texture[80]; /* dimensions:format:channels:address mode:filter:flags, or "-" */
    card_slots inputs, outputs;
    size_t threads;
    const char *text;
    size_t length;
} card_form;

/* What stands before the first form is the head of every module. */
typedef struct {
    char *text;
    size_t head_length;
    card_form *forms;
    size_t count;
} card_bundle;

void card_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void *card_allocate(size_t items, size_t bytes); /* zeroed */

/* Reads a bundle. */
void card_bundle_read(card_bundle *out, const char *path);

/* The inputs of a form, which depend on their types and on the number of threads alone; free() them. */
uint64_t *card_inputs(const card_form *form);

/* Bytes of a channel. */
size_t card_format_bytes(CUarray_format format);

/* Fills the memory of a texture: count numbers of this format. */
void card_fill_texels(void *out, size_t count, CUarray_format format);

/* A texture object of form->texture and the array beneath it: 8 texels in each dimension. */
CUresult card_texture_create(const char *texture, CUarray *array, CUtexObject *object);

/* A form's results as text of at most 33 characters: the hash of them with every NaN as one, and where there is a NaN
 * that of their bits. Makes the NaNs one. */
void card_hash(const card_form *form, uint64_t *results, char *text, size_t size);

#endif
