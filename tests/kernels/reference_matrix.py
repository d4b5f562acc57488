#!/usr/bin/env python3
"""Writes what the matrix kernels beside this file have to give: NAME.launch for matrix_rows, matrix_mma, matrix_wmma.

The numbers are small and whole, so that every sum is exact. Where elements are is taken from the figures of the PTX ISA.
Nothing here looks at the engine. Python 3, standard library only. usage: reference_matrix.py"""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f16(x):
    return struct.unpack("<H", struct.pack("<e", x))[0]


def words(values, width):
    rows = [" ".join("0x%0*x" % (width, v) for v in values[i:i + 8]) for i in range(0, len(values), 8)]
    return "\n    ".join([""] + rows)


def write(name, text):
    with open(os.path.join(HERE, name + ".launch"), "w") as out:
        out.write("# Made by reference_matrix.py.\n" + text)


def pair(low, high):
    return low | high << 16


def rows():
    """Element (r, c) of matrix k of warp w is 1024 w + 64 k + 8 r + c."""
    def element(w, k, r, c):
        return 1024 * w + 64 * k + 8 * r + c

    out = [0] * (2 * 32 * 16)
    for w in range(2):
        for lane in range(32):
            r, c = lane // 4, lane % 4 * 2
            at = (w * 32 + lane) * 16
            plain = [pair(element(w, k, r, c), element(w, k, r, c + 1)) for k in range(4)]
            turned = [pair(element(w, k, c, r), element(w, k, c + 1, r)) for k in range(4)]
            # x4, x4.trans, x2 of the last two, x1 of the second, its transposition by movmatrix
            out[at:at + 12] = plain + turned + plain[2:] + [plain[1], turned[1]]
            # stmatrix.x2.trans wrote the first two, transposed: a word of row lane / 4 of each
            out[at + 12:at + 14] = turned[:2]
            # stmatrix.x1 wrote the fourth; stmatrix.x4 all
            out[at + 14:at + 16] = [plain[3], plain[2]]
    write("matrix_rows", "buffer out b32 %d\nlaunch matrix_rows block 64 args out\nexpect out =%s\n" % (len(out), words(out, 8)))


def numbers(n, step, span):
    return [i * step % span - span // 2 for i in range(n)]


def product(a, b, m, n, k):
    return [[sum(a[i][s] * b[s][j] for s in range(k)) for j in range(n)] for i in range(m)]


def square(values, columns):
    return [values[i:i + columns] for i in range(0, len(values), columns)]


def mma():
    """Each of 4 warps: its A (16 x 16) times B (16 x 8); the sums of a second product start at the first."""
    a, b = numbers(4 * 256, 5, 11), numbers(128, 3, 7)
    out = []
    for w in range(4):
        d = product(square(a[256 * w:256 * w + 256], 16), square(b, 8), 16, 8, 16)
        out += [f32(2.0 * x) for row in d for x in row]
    write("matrix_mma", "buffer a b16 1024 =%s\nbuffer b b16 128 =%s\nbuffer out b32 512\nlaunch matrix_mma grid 2 block 64 args a b out\nexpect out =%s\n"
          % (words([f16(x) for x in a], 4), words([f16(x) for x in b], 4), words(out, 8)))


def wmma():
    """C (32 x 32) = A (32 x 48) B (48 x 32) + 1, a tile of 16 x 16 for each of 4 warps; A by rows, B by columns."""
    a, b = numbers(32 * 48, 5, 9), numbers(48 * 32, 3, 7)
    columns = [[b[j * 48 + s] for j in range(32)] for s in range(48)]
    c = product(square(a, 48), columns, 32, 32, 48)
    write("matrix_wmma", "buffer a b16 1536 =%s\nbuffer b b16 1536 =%s\nbuffer c b32 1024 fill 0x3f800000\nlaunch matrix_wmma grid 2 block 64 args a b c\nexpect c =%s\n"
          % (words([f16(x) for x in a], 4), words([f16(x) for x in b], 4), words([f32(x + 1.0) for row in c for x in row], 8)))


if __name__ == "__main__":
    rows()
    mma()
    wmma()
