/* redirect.c - x86-64 jumps: near over a slot, far through a register, short into the padding in front.
 *
 * Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, JMP, MOV, ENDBR64. */
#include "collect/preload/redirect.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
static const uintptr_t reach = (uintptr_t)0x7ff00000; /* of a near jump, with a margin */

static bool in_reach(const void *from, const void *to)
{
    const int64_t distance = (int64_t)((uintptr_t)to - (uintptr_t)from);
    return distance > -(int64_t)reach && distance < (int64_t)reach;
}

static void *map(void *wanted, size_t bytes, int flags)
{
    void *const got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return got == MAP_FAILED ? NULL : got;
}

/* Free addresses are looked for in steps of 64 KiB, from the object outwards. */
static void *map_near(uintptr_t begin, uintptr_t end, size_t bytes)
{
    const size_t step = 65536;
    for (uintptr_t away = step; end - begin < reach / 2 && away < reach / 2; away += step) {
        const uintptr_t above = end / PAGE * PAGE + away, below = begin / PAGE * PAGE - away;
        for (int side = 0; side < 2; side++) {
            if (side && begin < away + PAGE)
                continue;
            void *const wanted = (void *)(side ? below : above);
            void *const got = map(wanted, bytes, MAP_FIXED_NOREPLACE);
            if (got == wanted)
                return got;
            if (got) /* a kernel that does not know the flag puts it where it likes */
                munmap(got, bytes);
        }
    }
    return map(NULL, bytes, 0);
}

static void put_near(uint8_t *at, const void *to)
{
    const int32_t distance = (int32_t)((uintptr_t)to - ((uintptr_t)at + WS_NEAR_JUMP_BYTES));
    at[0] = 0xe9; /* jmp rel32 */
    memcpy(at + 1, &distance, sizeof distance);
}

/* jmp [pointer]; 6 bytes */
static void put_through(uint8_t *at, const void *const *pointer)
{
    const int32_t distance = (int32_t)((uintptr_t)pointer - ((uintptr_t)at + 6));
    memcpy(at, (const uint8_t[]){0xff, 0x25}, 2);
    memcpy(at + 2, &distance, sizeof distance);
}

static size_t code_bytes(size_t n)
{
    return ((n + 1) * WS_SLOT_BYTES + PAGE - 1) / PAGE * PAGE;
}

/* Code in the first pages, pointers in those behind them. The slot in front of all others is the way to `bind`. */
bool ws_slots_make(ws_slots *slots, uintptr_t begin, uintptr_t end, size_t n, uint32_t first, const void *bind)
{
    const size_t code = code_bytes(n), data = ((n + 1) * sizeof(void *) + PAGE - 1) / PAGE * PAGE;
    *slots = (ws_slots){.n = n, .bytes = code + data};
    slots->code = map_near(begin, end, code + data);
    if (!slots->code)
        return false;
    const void **const pointer = (const void **)(void *)(slots->code + code);
    slots->pointer = pointer + 1;
    pointer[0] = bind;
    put_through(slots->code, &pointer[0]);
    for (size_t i = 0; i < n; i++) {
        uint8_t *const slot = ws_slot(slots, i);
        const uint32_t number = first + (uint32_t)i;
        slots->pointer[i] = slot + 6;
        put_through(slot, &slots->pointer[i]);
        slot[6] = 0x68; /* push imm32 */
        memcpy(slot + 7, &number, sizeof number);
        put_near(slot + 11, slots->code);
    }
    return true;
}

bool ws_slots_finish(const ws_slots *slots)
{
    return mprotect(slots->code, code_bytes(slots->n), PROT_READ | PROT_EXEC) == 0;
}

/* What assemblers put between functions: int3, and no-operations of all lengths. */
static bool is_padding(uint8_t byte)
{
    static const uint8_t bytes[] = {0x90, 0xcc, 0x00, 0x66, 0x2e, 0x0f, 0x1f, 0x40, 0x44, 0x80, 0x84};
    return memchr(bytes, byte, sizeof bytes) != NULL;
}

size_t ws_padded_bytes(const uint8_t *function, size_t bytes, size_t room)
{
    size_t n = bytes < room ? bytes : room;
    while (n < room && is_padding(function[n]))
        n++;
    return n;
}

/* No function of the runtime has a variable number of arguments, so rax holds nothing when one begins. */
static void put_far(uint8_t *at, const void *to)
{
    memcpy(at, (const uint8_t[]){0x48, 0xb8}, 2); /* mov rax, imm64 */
    memcpy(at + 2, &to, 8);
    memcpy(at + 10, (const uint8_t[]){0xff, 0xe0}, 2); /* jmp rax */
}

static void put_jump(uint8_t *at, const void *to, bool is_near)
{
    if (is_near)
        put_near(at, to);
    else
        put_far(at, to);
}

/* Five bytes of padding in front, in reach of a short jump. */
static bool put_short(uint8_t *function, size_t before, const void *to)
{
    const size_t most = before < 120 ? before : 120;
    uint8_t *const at = function - WS_NEAR_JUMP_BYTES;
    if (most < WS_NEAR_JUMP_BYTES)
        return false;
    for (unsigned i = 0; i < WS_NEAR_JUMP_BYTES; i++) {
        if (!is_padding(at[i]))
            return false;
    }
    put_near(at, to);
    function[0] = 0xeb; /* jmp rel8 */
    function[1] = (uint8_t) - (WS_NEAR_JUMP_BYTES + WS_SHORT_JUMP_BYTES);
    return true;
}

bool ws_redirect(uint8_t *function, size_t room, size_t before, const uint8_t *slot)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const bool is_near = in_reach(function, slot);
    const size_t jump = is_near ? WS_NEAR_JUMP_BYTES : WS_FAR_JUMP_BYTES;
    if (room >= sizeof endbr64 + jump && !memcmp(function, endbr64, sizeof endbr64))
        put_jump(function + sizeof endbr64, slot, is_near);
    else if (room >= jump)
        put_jump(function, slot, is_near);
    else
        return is_near && room >= WS_SHORT_JUMP_BYTES && put_short(function, before, slot);
    return true;
}
