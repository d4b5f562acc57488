/* aes.cu - AES by tables: a thread holds one column of a block of 16 bytes, four neighbours a block.
 *
 * A round looks up the four bytes of a column in four tables that do substitution, row shift and column mixing at once
 * (J. Daemen and V. Rijmen, The Design of Rijndael, 2002, section 4.2). Tables are copied from constant to shared
 * memory first; the state goes back and forth between two stages in shared memory with a barrier a round, and bytes
 * are read from there. Round keys are read through a texture. Decryption is FIPS 197's equivalent inverse cipher: the
 * same steps with other tables and keys. */
#include "../harness/device.h"

enum { THREADS = 256, ENTRIES = 256, COLUMNS = 4, TABLES = 4, BYTE = 0xff };

__constant__ uint encrypt_table[TABLES][ENTRIES];
__constant__ uint decrypt_table[TABLES][ENTRIES];
__constant__ uint inverse_box[ENTRIES]; /* for the last round of decryption, which mixes nothing */

template <bool encrypt> struct cipher {
    uint table[TABLES][ENTRIES];
    uint last[encrypt ? 1 : ENTRIES]; /* S-box of the last round of decryption */
    uint stage[2][THREADS];
};

/* Byte `row` of the column that the shift of the rows brings to this thread. */
template <bool encrypt> DEVICE uint shifted_byte(const uint *stage, uint row)
{
    const uint t = threadIdx.x, column = (encrypt ? t + row : t - row) % COLUMNS;

    return ((const uchar *)&stage[t - t % COLUMNS + column])[row];
}

/* What the S-box makes of a byte. Encryption finds it in its table 0, as byte 1: there it is multiplied by one. */
template <bool encrypt> DEVICE uint substitute(const cipher<encrypt> &c, uint byte)
{
    return encrypt ? c.table[0][byte] >> 8 & BYTE : c.last[byte];
}

template <bool encrypt> DEVICE void load_tables(cipher<encrypt> &c)
{
    const uint t = threadIdx.x;

    for (int i = 0; i < TABLES; i++)
        c.table[i][t] = encrypt ? encrypt_table[i][t] : decrypt_table[i][t];
    if (!encrypt)
        c.last[t] = inverse_box[t];
}

template <bool encrypt, int rounds> DEVICE void run_cipher(texture keys, const uint *input, uint *output)
{
    __shared__ cipher<encrypt> c;
    const uint t = threadIdx.x, column = t % COLUMNS;
    const uint word = blockIdx.x * THREADS + t;

    load_tables(c);
    c.stage[0][t] = input[word] ^ tex1d_fetch_u32(keys, column);
    __syncthreads();

#pragma unroll
    for (int round = 1; round < rounds; round++) {
        const uint *from = c.stage[(round - 1) % 2];
        uint mixed = tex1d_fetch_u32(keys, COLUMNS * round + column);
        for (uint row = 0; row < TABLES; row++)
            mixed ^= c.table[row][shifted_byte<encrypt>(from, row)];
        c.stage[round % 2][t] = mixed;
        __syncthreads();
    }

    const uint *from = c.stage[(rounds - 1) % 2];
    uint last = tex1d_fetch_u32(keys, COLUMNS * rounds + column);
    for (uint row = 0; row < TABLES; row++)
        last ^= substitute(c, shifted_byte<encrypt>(from, row)) << 8 * row;
    output[word] = last;
}

KERNEL aes_encrypt_128(texture keys, const uint *input, uint *output)
{
    run_cipher<true, 10>(keys, input, output);
}

KERNEL aes_decrypt_128(texture keys, const uint *input, uint *output)
{
    run_cipher<false, 10>(keys, input, output);
}

KERNEL aes_encrypt_256(texture keys, const uint *input, uint *output)
{
    run_cipher<true, 14>(keys, input, output);
}

KERNEL aes_decrypt_256(texture keys, const uint *input, uint *output)
{
    run_cipher<false, 14>(keys, input, output);
}
