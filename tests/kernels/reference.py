#!/usr/bin/env python3
"""Makes the arithmetic kernels and what they have to give: for each family NAME.ptx and NAME.launch beside this file.

The reference is this file: whole numbers are Python's, floating point is exact rational arithmetic (fractions.Fraction)
rounded once by the rules of IEEE 754 and the PTX ISA. Nothing here looks at the engine. Python 3, standard library only;
the operands come from random.Random with the seed below. usage: reference.py [FAMILY...]"""
import math
import os
import random
import sys
from fractions import Fraction

LANES = 32
SEED = 20130501


# ------------------------------------------------------------------------------------------------ whole numbers
def u(x, n=32):
    return x & ((1 << n) - 1)


def s(x, n=32):
    x = u(x, n)
    return x - (1 << n) if x >> (n - 1) else x


def clamp(x, low, high):
    return max(low, min(high, x))


def sat_s(x, n=32):
    return clamp(x, -(1 << (n - 1)), (1 << (n - 1)) - 1)


def sat_u(x, n=32):
    return clamp(x, 0, (1 << n) - 1)


def div(a, b):  # towards zero, as C does
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def rem(a, b):
    return a - b * div(a, b)


def brev(x, n):
    return int(format(u(x, n), "0%db" % n)[::-1], 2)


def bfind(x, n, signed, shiftamt=False):
    x = s(x, n) if signed else u(x, n)
    x = ~x if x < 0 else x
    if x == 0:
        return 0xffffffff
    i = x.bit_length() - 1
    return n - 1 - i if shiftamt else i


def bfe(a, b, c, n, signed):
    pos, length, msb = b & 255, c & 255, n - 1
    sbit = a >> min(pos + length - 1, msb) & 1 if signed and length else 0
    return sum((a >> (pos + i) & 1 if i < length and pos + i <= msb else sbit) << i for i in range(n))


def bfi(a, b, c, d, n):
    pos, length = c & 255, d & 255
    for i in range(length):
        if pos + i < n:
            b = b & ~(1 << (pos + i)) | (a >> i & 1) << (pos + i)
    return b


def fns(mask, base, offset):
    offset = s(offset)
    if offset == 0:
        return base if mask >> base & 1 else 0xffffffff
    count, step, pos = abs(offset) - 1, 1 if offset > 0 else -1, base
    while 0 <= pos < 32:
        if mask >> pos & 1:
            if count == 0:
                return pos
            count -= 1
        pos += step
    return 0xffffffff


def bmsk(a, b, wrap):
    a, b = (a & 31, b & 31) if wrap else (min(a, 32), min(b, 32))
    return u(((1 << b) - 1) << a)


def szext(a, b, wrap, signed):
    n = b & 31 if wrap else min(b, 32)
    if n == 0:
        return 0
    return u(s(a, n)) if signed else u(a, n)


def shf(a, b, c, left, wrap):
    n = c & 31 if wrap else min(c, 32)
    both = b << 32 | a
    return u(both << n >> 32) if left else u(both >> n)


def prmt(a, b, c, mode=""):
    tables = {"f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
              "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
              "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"]}
    both = b << 32 | a
    selectors = [int(x) for x in reversed(tables[mode][c & 3])] if mode else [c >> 4 * i & 15 for i in range(4)]
    d = 0
    for i, sel in enumerate(selectors):
        byte = both >> 8 * (sel & 7) & 255
        if sel & 8:
            byte = 255 if byte & 128 else 0
        d |= byte << 8 * i
    return d


def lop3(a, b, c, table):
    return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))


def fields(x, width, signed, n=32):
    return [(s if signed else u)(x >> i, width) for i in range(0, n, width)]


def pack(values, width):
    return sum(u(v, width) << i * width for i, v in enumerate(values))


def mul24(a, b, signed):
    return (s(a, 24) if signed else u(a, 24)) * (s(b, 24) if signed else u(b, 24))


COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}


# ------------------------------------------------------------------------------------------------ floating point
class Format:
    """Binary format; numbers are their bits."""

    def __init__(self, ebits, fbits):
        self.ebits, self.fbits = ebits, fbits
        self.width, self.bias = 1 + ebits + fbits, (1 << (ebits - 1)) - 1
        self.inf, self.one = ((1 << ebits) - 1) << fbits, self.bias << fbits
        self.sign, self.nan = 1 << (ebits + fbits), self.inf | 1 << (fbits - 1)

    def is_nan(self, x):
        return x & ~self.sign > self.inf

    def is_inf(self, x):
        return x & ~self.sign == self.inf

    def is_subnormal(self, x):
        return 0 < x & ~self.sign < 1 << self.fbits

    def negative(self, x):
        return bool(x & self.sign)

    def value(self, x):
        e, f = x >> self.fbits & ((1 << self.ebits) - 1), x & ((1 << self.fbits) - 1)
        m = Fraction(f, 1 << self.fbits) * Fraction(2) ** (1 - self.bias) if e == 0 else \
            (1 + Fraction(f, 1 << self.fbits)) * Fraction(2) ** (e - self.bias)
        return -m if self.negative(x) else m

    def number(self, x):  # as a float, for comparisons
        return math.nan if self.is_nan(x) else (-math.inf if self.negative(x) else math.inf) if self.is_inf(x) else self.value(x)

    def flush(self, x):
        return x & self.sign if self.is_subnormal(x) else x

    def round(self, v, mode="rn", zero_sign=0):
        """Bits of the exact value v rounded once; v may be (integer, exponent, sticky) for irrational roots."""
        if v == 0:
            return self.sign if zero_sign else 0
        negative, m = v < 0, abs(v)
        e = math.floor(math.log2(m.numerator) - math.log2(m.denominator)) if m else 0
        while m >= Fraction(2) ** (e + 1):
            e += 1
        while m < Fraction(2) ** e:
            e -= 1
        e = max(e, 1 - self.bias)
        steps = m / Fraction(2) ** (e - self.fbits)
        whole = steps.numerator // steps.denominator
        rest = steps - whole
        up = {"rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1), "rz": False,
              "rp": rest > 0 and not negative, "rm": rest > 0 and negative}[mode]
        whole += bool(up)
        bits = whole if e == 1 - self.bias and whole < 1 << self.fbits else ((e + self.bias - 1) << self.fbits) + whole
        if bits >= self.inf:
            finite = mode == "rz" or (mode == "rp" and negative) or (mode == "rm" and not negative)
            bits = self.inf - 1 if finite else self.inf
        return bits | (self.sign if negative else 0)


F16, BF16, F32, F64 = Format(5, 10), Format(8, 7), Format(8, 23), Format(11, 52)


def sum_zero(a_negative, b_negative, mode):
    return (a_negative and b_negative) or (a_negative != b_negative and mode == "rm")


def fadd(fmt, a, b, mode="rn"):
    if fmt.is_nan(a) or fmt.is_nan(b) or (fmt.is_inf(a) and fmt.is_inf(b) and a != b):
        return fmt.nan
    if fmt.is_inf(a) or fmt.is_inf(b):
        return a if fmt.is_inf(a) else b
    return fmt.round(fmt.value(a) + fmt.value(b), mode, sum_zero(fmt.negative(a), fmt.negative(b), mode))


def fmul(fmt, a, b, mode="rn"):
    sign = (a ^ b) & fmt.sign
    zero = a & ~fmt.sign == 0 or b & ~fmt.sign == 0
    if fmt.is_nan(a) or fmt.is_nan(b) or ((fmt.is_inf(a) or fmt.is_inf(b)) and zero):
        return fmt.nan
    if fmt.is_inf(a) or fmt.is_inf(b):
        return sign | fmt.inf
    return fmt.round(fmt.value(a) * fmt.value(b), mode, sign)


def ffma(fmt, a, b, c, mode="rn"):
    p = fmul(fmt, a, b)  # only for its specials
    if fmt.is_nan(p) and not (fmt.is_nan(a) or fmt.is_nan(b)) or fmt.is_nan(a) or fmt.is_nan(b) or fmt.is_nan(c):
        return fmt.nan
    sign = (a ^ b) & fmt.sign
    if fmt.is_inf(a) or fmt.is_inf(b):
        return fmt.nan if fmt.is_inf(c) and c & fmt.sign != sign else sign | fmt.inf
    if fmt.is_inf(c):
        return c
    exact = fmt.value(a) * fmt.value(b)
    zero_product = exact == 0
    return fmt.round(exact + fmt.value(c), mode, sum_zero(bool(sign), fmt.negative(c), mode) if zero_product or exact + fmt.value(c) == 0 else 0)


def fdiv(fmt, a, b, mode="rn"):
    sign = (a ^ b) & fmt.sign
    a0, b0 = a & ~fmt.sign == 0, b & ~fmt.sign == 0
    if fmt.is_nan(a) or fmt.is_nan(b) or (a0 and b0) or (fmt.is_inf(a) and fmt.is_inf(b)):
        return fmt.nan
    if fmt.is_inf(a) or b0:
        return sign | fmt.inf
    if fmt.is_inf(b):
        return sign
    return fmt.round(fmt.value(a) / fmt.value(b), mode, sign)


def fsqrt(fmt, a, mode="rn"):
    if a & ~fmt.sign == 0:
        return a
    if fmt.is_nan(a) or fmt.negative(a):
        return fmt.nan
    if fmt.is_inf(a):
        return a
    v = fmt.value(a)
    shift = 2 * (fmt.fbits + 40) + 2 * fmt.bias  # enough bits that one more, for the remainder, decides every rounding
    scaled = v * Fraction(4) ** shift
    root = math.isqrt(scaled.numerator // scaled.denominator)
    exact = root * root == scaled
    return fmt.round(Fraction(2 * root + (0 if exact else 1), 2) / Fraction(2) ** shift, mode)


def fsat(fmt, x):
    if fmt.is_nan(x) or fmt.negative(x):
        return 0
    return min(x, fmt.one)


def fminmax(fmt, a, b, largest, nan=False, xorsign=False):
    if xorsign:
        sign = (a ^ b) & fmt.sign
        if fmt.is_nan(a) or fmt.is_nan(b):
            if nan or (fmt.is_nan(a) and fmt.is_nan(b)):
                return fmt.nan
            return sign | (b if fmt.is_nan(a) else a) & ~fmt.sign
        m = max(a & ~fmt.sign, b & ~fmt.sign) if largest else min(a & ~fmt.sign, b & ~fmt.sign)
        return sign | m
    if fmt.is_nan(a) or fmt.is_nan(b):
        if nan or (fmt.is_nan(a) and fmt.is_nan(b)):
            return fmt.nan
        return b if fmt.is_nan(a) else a
    key = lambda x: (fmt.number(x), not fmt.negative(x))  # -0 below +0
    return max(a, b, key=key) if largest else min(a, b, key=key)


def fcompare(fmt, op, a, b):
    unordered = fmt.is_nan(a) or fmt.is_nan(b)
    if op == "num":
        return not unordered
    if op == "nan":
        return unordered
    if len(op) == 3:
        return unordered or COMPARE[op[:2]](fmt.number(a), fmt.number(b))
    return not unordered and COMPARE[op](fmt.number(a), fmt.number(b))


def to_integral(v, mode):
    low = v.numerator // v.denominator
    rest = v - low
    return {"rmi": low, "rpi": low + (rest > 0), "rzi": low + (v < 0 and rest > 0),
            "rni": low + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low & 1))}[mode]


def float_to_int(fmt, x, mode, n, signed):
    if fmt.is_nan(x):
        return 0 if fmt is not F64 and n < 64 else 1 << n - 1
    if fmt.is_inf(x):
        v = -(1 << 200) if fmt.negative(x) else 1 << 200
    else:
        v = to_integral(fmt.value(x), mode)
    return u(sat_s(v, n) if signed else sat_u(v, n), n)


def float_to_float(src, dst, x, mode="rn"):
    if src.is_nan(x):
        return dst.nan
    sign = dst.sign if src.negative(x) else 0
    if src.is_inf(x):
        return sign | dst.inf
    return dst.round(src.value(x), mode, bool(sign))


def float_integral(fmt, x, mode):
    if fmt.is_nan(x) or fmt.is_inf(x):
        return x
    return fmt.round(Fraction(to_integral(fmt.value(x), mode)), "rn", fmt.negative(x))


def testp(fmt, x, what):
    nan, inf, sub = fmt.is_nan(x), fmt.is_inf(x), fmt.is_subnormal(x)
    return {"finite": not nan and not inf, "infinite": inf, "number": not nan, "notanumber": nan,
            "normal": not (nan or inf or sub), "subnormal": sub}[what]  # zero counts as normal


# ------------------------------------------------------------------------------------------------ families
REGISTER = {"b16": ".b16", "b32": ".b32", "b64": ".b64", "f32": ".f32", "f64": ".f64"}
EDGES = {
    "b16": [0, 1, 2, 0x7fff, 0x8000, 0xffff, 0xfffe, 15, 16, 17, 0x00ff, 0xff00],
    "b32": [0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 31, 32, 33, 0x00ff00ff, 0x8000, 0xffff8000, 8, 24, 0x7f],
    "b64": [0, 1, 2, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 64) - 2, 63, 64, 65, 0xffffffff, 1 << 32, 16, 40],
}
FLOAT_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 0.1, -7.25, 100.0, 1e10, -1e-10, math.inf, -math.inf, math.nan]


def float_edges(fmt):
    out = []
    for v in FLOAT_EDGES:
        if math.isnan(v):
            out.append(fmt.nan)
        elif math.isinf(v):
            out.append(fmt.inf | (fmt.sign if v < 0 else 0))
        else:
            out.append(fmt.round(Fraction(v), "rn", math.copysign(1, v) < 0))
    return out + [1, fmt.sign | 3, (1 << fmt.fbits) - 1, 1 << fmt.fbits, fmt.inf - 1, fmt.sign | (fmt.inf - 1), fmt.one + 1, fmt.one - 1]


def operands(kind, rng, fmt=None):
    """32 values: edges in changing order, and random ones of all magnitudes."""
    if fmt:
        edges = float_edges(fmt)
        near = lambda: fmt.round(Fraction(rng.uniform(-4, 4)))
        pool = edges + [rng.getrandbits(fmt.width) for _ in range(4)] + [near() for _ in range(12)]
    else:
        width = int(kind[1:])
        pool = EDGES[kind] + [rng.getrandbits(width) for _ in range(10)] + [rng.getrandbits(width) >> rng.randrange(width) for _ in range(8)]
    rng.shuffle(pool)
    return (pool * 2)[:LANES]


class Family:
    """Operations on operands A, B, C of one type with a result D of one type."""

    def __init__(self, name, question, kind, result, fmt=None, declare=""):
        self.name, self.question, self.kind, self.result, self.fmt, self.declare = name, question, kind, result, fmt, declare
        self.ops = []
        rng = random.Random("%d %s" % (SEED, name))
        self.a, self.b, self.c = (operands(kind, rng, fmt) for _ in range(3))

    def op(self, code, reference, tolerance=""):
        """code: instructions on A B C giving D, parted by ';'. reference(a, b, c): the bits of D."""
        self.ops.append((code, reference, tolerance))

    def write(self, folder):
        size, rsize = int(self.kind[1:]) // 8, int(self.result[1:]) // 8
        lines = ["// %s: %s" % (self.name, self.question), "// Made by reference.py, which also made the expected values by exact arithmetic.",
                 ".version 8.0", ".target sm_90", ".address_size 64", "",
                 ".visible .entry %s(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)" % self.name, "{",
                 "\t.reg .b64 %p<4>, %offset, %d_offset;", "\t.reg .b32 %lane;", "\t.reg %s A, B, C;" % REGISTER[self.kind],
                 "\t.reg %s D;" % REGISTER[self.result]]
        lines += ["\t" + x.strip() + ";" for x in self.declare.split(";") if x.strip()]
        lines += ["\tmov.u32 %lane, %tid.x;", "\tmul.wide.u32 %%offset, %%lane, %d;" % size, "\tmul.wide.u32 %%d_offset, %%lane, %d;" % rsize]
        for i, x in enumerate("abc"):
            lines += ["\tld.param.u64 %%p%d, [p%s];" % (i, x), "\tadd.s64 %%p%d, %%p%d, %%offset;" % (i, i),
                      "\tld.global.%s %s, [%%p%d];" % (self.kind, x.upper(), i)]
        lines += ["\tld.param.u64 %p3, [pd];", "\tadd.s64 %p3, %p3, %d_offset;", ""]
        for i, (code, _, _) in enumerate(self.ops):
            lines += ["\t" + x.strip() + ";" for x in code.split(";") if x.strip()]
            lines += ["\tst.global.%s [%%p3+%d], D;" % (self.result, i * LANES * rsize)]
        lines += ["\tret;", "}", ""]
        with open(os.path.join(folder, self.name + ".ptx"), "w") as out:
            out.write("\n".join(lines))
        show = lambda kind, x: ("0x%0*x" % (int(kind[1:]) // 4, x))
        rows = lambda kind, v: "\n".join("    " + " ".join(show(kind, x) for x in v[i:i + 8]) for i in range(0, len(v), 8))
        text = ["# %s: %s" % (self.name, self.question), "# Made by reference.py: expected values are exact arithmetic, rounded once."]
        for x, v in zip("abc", (self.a, self.b, self.c)):
            text += ["buffer %s %s %d =" % (x, self.kind, LANES), rows(self.kind, v)]
        text += ["buffer d %s %d" % (self.result, LANES * len(self.ops)), "launch %s block %d args a b c d" % (self.name, LANES)]
        for i, (code, reference, tolerance) in enumerate(self.ops):
            values = [u(int(reference(a, b, c)), 8 * rsize) for a, b, c in zip(self.a, self.b, self.c)]
            text += ["# " + code, "expect d[%d..%d] =" % (i * LANES, i * LANES + LANES - 1), rows(self.result, values)]
            if tolerance:
                text += ["    " + tolerance]
        with open(os.path.join(folder, self.name + ".launch"), "w") as out:
            out.write("\n".join(text) + "\n")


def integers(n):
    f = Family("int%d" % n, "whole-number arithmetic on %d bits" % n, "b%d" % n, "b%d" % n,
               declare=".reg .pred p, q;.reg .b%d t0, t1;.reg .b32 w, w2" % n)
    for t, x in (("u", u), ("s", s)):
        f.op("mul.lo.%s%d D, A, B" % (t, n), lambda a, b, c: a * b)
        f.op("mul.hi.%s%d D, A, B" % (t, n), lambda a, b, c, x=x: x(a, n) * x(b, n) >> n)
        f.op("mad.lo.%s%d D, A, B, C" % (t, n), lambda a, b, c: a * b + c)
        f.op("mad.hi.%s%d D, A, B, C" % (t, n), lambda a, b, c, x=x: (x(a, n) * x(b, n) >> n) + c)
        f.op("add.%s%d D, A, B" % (t, n), lambda a, b, c: a + b)
        f.op("sub.%s%d D, A, B" % (t, n), lambda a, b, c: a - b)
        f.op("min.%s%d D, A, B" % (t, n), lambda a, b, c, x=x: min(x(a, n), x(b, n)))
        f.op("max.%s%d D, A, B" % (t, n), lambda a, b, c, x=x: max(x(a, n), x(b, n)))
        f.op("sad.%s%d D, A, B, C" % (t, n), lambda a, b, c, x=x: c + abs(x(a, n) - x(b, n)))
        f.op("or.b%d t0, B, 1;div.%s%d D, A, t0" % (n, t, n), lambda a, b, c, x=x: div(x(a, n), x(b | 1, n)))
        f.op("or.b%d t0, B, 1;rem.%s%d D, A, t0" % (n, t, n), lambda a, b, c, x=x: rem(x(a, n), x(b | 1, n)))
        f.op("cvt.u32.u%d w, B;and.b32 w, w, 127;shr.%s%d D, A, w" % (n, t, n), lambda a, b, c, x=x: x(a, n) >> min(b & 127, n))
        for cmp in ("lt", "le", "gt", "ge", "eq", "ne"):
            f.op("setp.%s.%s%d p, A, B;selp.b%d D, A, C, p" % (cmp, t, n, n), lambda a, b, c, x=x, cmp=cmp: a if COMPARE[cmp](x(a, n), x(b, n)) else c)
    for name, cmp in (("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")):
        f.op("setp.%s.u%d p, A, B;selp.b%d D, 1, 0, p" % (name, n, n), lambda a, b, c, cmp=cmp: COMPARE[cmp](a, b))
    f.op("setp.eq.b%d p, A, B;selp.s%d D, 7, -7, p" % (n, n), lambda a, b, c: 7 if a == b else -7)
    for b_name, both in (("and", lambda x, y: x and y), ("or", lambda x, y: x or y), ("xor", lambda x, y: x != y)):
        f.op("setp.lt.s%d q, B, C;setp.lt.%s.s%d p|q, A, B, q;selp.b%d D, 2, 0, p;selp.b%d t0, 1, 0, q;or.b%d D, D, t0" % (n, b_name, n, n, n, n),
             lambda a, b, c, both=both: (2 if both(s(a, n) < s(b, n), s(b, n) < s(c, n)) else 0) +
             (1 if both(not s(a, n) < s(b, n), s(b, n) < s(c, n)) else 0))
    f.op("neg.s%d D, A" % n, lambda a, b, c: -a)
    f.op("abs.s%d D, A" % n, lambda a, b, c: abs(s(a, n)))
    f.op("and.b%d D, A, B" % n, lambda a, b, c: a & b)
    f.op("or.b%d D, A, B" % n, lambda a, b, c: a | b)
    f.op("xor.b%d D, A, B" % n, lambda a, b, c: a ^ b)
    f.op("not.b%d D, A" % n, lambda a, b, c: ~a)
    f.op("cnot.b%d D, A" % n, lambda a, b, c: a == 0)
    f.op("cvt.u32.u%d w, B;and.b32 w, w, 127;shl.b%d D, A, w" % (n, n), lambda a, b, c: a << min(b & 127, n))
    f.op("cvt.u32.u%d w, C;slct.b%d.s32 D, A, B, w" % (n, n), lambda a, b, c: a if s(c) >= 0 else b)
    if n == 16:
        return f
    for name, fn in (("popc", lambda a: bin(a).count("1")), ("clz", lambda a: n - a.bit_length())):
        f.op("%s.b%d w, A;cvt.u%d.u32 D, w" % (name, n, n), lambda a, b, c, fn=fn: fn(a))
    f.op("brev.b%d D, A" % n, lambda a, b, c: brev(a, n))
    for t in "us":
        f.op("bfind.%s%d w, A;cvt.u%d.u32 D, w" % (t, n, n), lambda a, b, c, t=t: bfind(a, n, t == "s"))
        f.op("bfind.shiftamt.%s%d w, A;cvt.u%d.u32 D, w" % (t, n, n), lambda a, b, c, t=t: bfind(a, n, t == "s", True))
        f.op("cvt.u32.u%d w, B;cvt.u32.u%d w2, C;bfe.%s%d D, A, w, w2" % (n, n, t, n), lambda a, b, c, t=t: bfe(a, b, c, n, t == "s"))
        f.op("bfe.%s%d D, A, 5, 11" % (t, n), lambda a, b, c, t=t: bfe(a, 5, 11, n, t == "s"))
    f.op("cvt.u32.u%d w, C;bfi.b%d D, A, B, w, 9" % (n, n), lambda a, b, c: bfi(a, b, c, 9, n))
    for t in "us":  # carries: three words added, subtracted and multiplied
        f.op("add.cc.%s%d t0, A, B;addc.cc.%s%d t1, B, C;addc.%s%d D, A, C;xor.b%d D, D, t1;xor.b%d D, D, t0" % (t, n, t, n, t, n, n, n),
             lambda a, b, c: carry_chain(a, b, c, n, 1))
        f.op("sub.cc.%s%d t0, A, B;subc.cc.%s%d t1, B, C;subc.%s%d D, A, C;xor.b%d D, D, t1;xor.b%d D, D, t0" % (t, n, t, n, t, n, n, n),
             lambda a, b, c: carry_chain(a, b, c, n, -1))
    f.op("mad.lo.cc.u%d t0, A, B, C;madc.hi.u%d D, A, B, C;xor.b%d D, D, t0" % (n, n, n),
         lambda a, b, c: u(u(a * b, n) + c, n) ^ u((a * b >> n) + c + (u(a * b, n) + c >> n), n))
    f.op("mad.hi.cc.u%d t0, A, B, C;madc.lo.cc.u%d t1, A, C, B;madc.hi.u%d D, B, C, A;xor.b%d D, D, t1" % (n, n, n, n),
         lambda a, b, c: madc_chain(a, b, c, n))
    return f


def carry_chain(a, b, c, n, sign):
    out, carry = 0, 0
    for x, y in ((a, b), (b, c), (a, c)):
        v = x + sign * (y + carry)
        carry = int(not 0 <= v < 1 << n)
        out ^= u(v, n)
    return out


def madc_chain(a, b, c, n):
    first = (a * b >> n) + c
    second = u(a * c, n) + b + (first >> n)
    third = (b * c >> n) + a + (second >> n)
    return u(third, n) ^ u(second, n)


def integers32():
    f = Family("int32_only", "whole-number instructions that exist for 32 bits only", "b32", "b32", declare=".reg .pred p;.reg .b32 t0, t1;.reg .b64 l;.reg .b16 h0, h1")
    f.op("add.sat.s32 D, A, B", lambda a, b, c: sat_s(s(a) + s(b)))
    f.op("sub.sat.s32 D, A, B", lambda a, b, c: sat_s(s(a) - s(b)))
    f.op("mad.hi.sat.s32 D, A, B, C", lambda a, b, c: sat_s((s(a) * s(b) >> 32) + s(c)))
    for t in "us":
        g = t == "s"
        f.op("mul24.lo.%s32 D, A, B" % t, lambda a, b, c, g=g: mul24(a, b, g))
        f.op("mul24.hi.%s32 D, A, B" % t, lambda a, b, c, g=g: mul24(a, b, g) >> 16)
        f.op("mad24.lo.%s32 D, A, B, C" % t, lambda a, b, c, g=g: mul24(a, b, g) + c)
        f.op("mad24.hi.%s32 D, A, B, C" % t, lambda a, b, c, g=g: (mul24(a, b, g) >> 16) + c)
        f.op("szext.clamp.%s32 D, A, B" % t, lambda a, b, c, g=g: szext(a, b, False, g))
        f.op("szext.wrap.%s32 D, A, B" % t, lambda a, b, c, g=g: szext(a, b, True, g))
        for v in "us":
            e = v == "s"
            f.op("dp4a.%s32.%s32 D, A, B, C" % (t, v), lambda a, b, c, g=g, e=e: c + sum(x * y for x, y in zip(fields(a, 8, g), fields(b, 8, e))))
            f.op("dp2a.lo.%s32.%s32 D, A, B, C" % (t, v), lambda a, b, c, g=g, e=e: c + sum(x * y for x, y in zip(fields(a, 16, g), fields(b, 8, e)[:2])))
            f.op("dp2a.hi.%s32.%s32 D, A, B, C" % (t, v), lambda a, b, c, g=g, e=e: c + sum(x * y for x, y in zip(fields(a, 16, g), fields(b, 8, e)[2:])))
        for cmp in ("lt", "ge", "ne"):
            f.op("set.%s.u32.%s32 D, A, B" % (cmp, t), lambda a, b, c, g=g, cmp=cmp: 0xffffffff * COMPARE[cmp](s(a) if g else a, s(b) if g else b))
            f.op("set.%s.f32.%s32 D, A, B" % (cmp, t), lambda a, b, c, g=g, cmp=cmp: F32.one * COMPARE[cmp](s(a) if g else a, s(b) if g else b))
    f.op("mad24.hi.sat.s32 D, A, B, C", lambda a, b, c: sat_s((mul24(a, b, True) >> 16) + s(c)))
    f.op("and.b32 t0, B, 31;fns.b32 D, A, t0, C", lambda a, b, c: fns(a, b & 31, c))
    f.op("and.b32 t0, B, 31;bfe.s32 t1, C, 0, 3;fns.b32 D, A, t0, t1", lambda a, b, c: fns(a, b & 31, s(c, 3)))
    f.op("bmsk.clamp.b32 D, A, B", lambda a, b, c: bmsk(a, b, False))
    f.op("bmsk.wrap.b32 D, A, B", lambda a, b, c: bmsk(a, b, True))
    for table in (0x80, 0x96, 0xe8, 0xca, 0x01, 0x3c):
        f.op("lop3.b32 D, A, B, C, 0x%02x" % table, lambda a, b, c, table=table: lop3(a, b, c, table))
    for left in (True, False):
        for wrap in (True, False):
            f.op("shf.%s.%s.b32 D, A, B, C" % ("l" if left else "r", "wrap" if wrap else "clamp"),
                 lambda a, b, c, left=left, wrap=wrap: shf(a, b, c, left, wrap))
    f.op("prmt.b32 D, A, B, C", lambda a, b, c: prmt(a, b, c))
    f.op("prmt.b32 D, A, B, 0x1fe6", lambda a, b, c: prmt(a, b, 0x1fe6))
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        f.op("prmt.b32.%s D, A, B, C" % mode, lambda a, b, c, mode=mode: prmt(a, b, c, mode))
    for op, fn in (("min", min), ("max", max)):
        f.op("%s.relu.s32 D, A, B" % op, lambda a, b, c, fn=fn: max(0, fn(s(a), s(b))))
        f.op("%s.u16x2 D, A, B" % op, lambda a, b, c, fn=fn: pack([fn(x, y) for x, y in zip(fields(a, 16, False), fields(b, 16, False))], 16))
        f.op("%s.s16x2 D, A, B" % op, lambda a, b, c, fn=fn: pack([fn(x, y) for x, y in zip(fields(a, 16, True), fields(b, 16, True))], 16))
        f.op("%s.s16x2.relu D, A, B" % op, lambda a, b, c, fn=fn: pack([max(0, fn(x, y)) for x, y in zip(fields(a, 16, True), fields(b, 16, True))], 16))
    f.op("add.u16x2 D, A, B", lambda a, b, c: pack([x + y for x, y in zip(fields(a, 16, False), fields(b, 16, False))], 16))
    f.op("mov.b32 {h0, h1}, A;mov.b32 D, {h1, h0}", lambda a, b, c: a >> 16 | a << 16)
    f.op("mov.b32 {_, h1}, A;cvt.s32.s16 D, h1", lambda a, b, c: s(a >> 16, 16))
    f.op("mov.b64 l, {A, B};mov.b64 {t0, t1}, l;sub.u32 D, t1, t0", lambda a, b, c: b - a)
    f.op("setp.lt.s32 p, A, B;@p mov.u32 D, 11;@!p mov.u32 D, 22", lambda a, b, c: 11 if s(a) < s(b) else 22)
    return f


def wide():
    f = Family("int_wide", "products that are twice as wide", "b32", "b64", declare=".reg .b64 l;.reg .b16 h0, h1;.reg .b32 w")
    for t, x in (("u", u), ("s", s)):
        f.op("mul.wide.%s32 D, A, B" % t, lambda a, b, c, x=x: x(a) * x(b))
        f.op("cvt.u64.u32 l, C;mad.wide.%s32 D, A, B, l" % t, lambda a, b, c, x=x: x(a) * x(b) + c)
        f.op("cvt.u16.u32 h0, A;cvt.u16.u32 h1, B;mul.wide.%s16 w, h0, h1;cvt.u64.u32 D, w" % t, lambda a, b, c, x=x: u(x(a, 16) * x(b, 16)))
        f.op("cvt.u16.u32 h0, A;cvt.u16.u32 h1, B;mad.wide.%s16 w, h0, h1, C;cvt.u64.u32 D, w" % t, lambda a, b, c, x=x: u(x(a, 16) * x(b, 16) + c))
    return f


def floats(fmt, n):
    f = Family("float%d" % n, "f%d arithmetic in every rounding mode" % n, "f%d" % n, "f%d" % n, fmt, declare=".reg .pred p, q;.reg .b32 w")
    ftzs = ("", ".ftz") if n == 32 else ("",)
    sats = ("", ".sat") if n == 32 else ("",)

    def wrap(fn, ftz, sat):
        clean = fmt.flush if ftz else lambda x: x
        end = (lambda x: fsat(fmt, clean(x))) if sat else clean
        return lambda a, b, c: end(fn(clean(a), clean(b), clean(c)))

    for mode in ("rn", "rz", "rm", "rp"):
        for ftz in ftzs:
            for sat in sats:
                words = "%s%s.f%d" % (ftz, sat, n)
                for op, fn in (("add", lambda a, b, c, m=mode: fadd(fmt, a, b, m)), ("sub", lambda a, b, c, m=mode: fadd(fmt, a, b ^ fmt.sign, m)),
                               ("mul", lambda a, b, c, m=mode: fmul(fmt, a, b, m))):
                    f.op("%s.%s%s D, A, B" % (op, mode, words), wrap(fn, ftz, sat))
                for op in ("fma", "mad"):
                    f.op("%s.%s%s D, A, B, C" % (op, mode, words), wrap(lambda a, b, c, m=mode: ffma(fmt, a, b, c, m), ftz, sat))
            words = "%s.%s" % (mode, (ftz + ".f%d" % n)[1:])
            f.op("div.%s D, A, B" % words, wrap(lambda a, b, c, m=mode: fdiv(fmt, a, b, m), ftz, ""))
            f.op("rcp.%s D, A" % words, wrap(lambda a, b, c, m=mode: fdiv(fmt, fmt.one, a, m), ftz, ""))
            f.op("sqrt.%s D, A" % words, wrap(lambda a, b, c, m=mode: fsqrt(fmt, a, m), ftz, ""))
    for ftz in ftzs:
        words = "%s.f%d" % (ftz, n)
        f.op("add%s D, A, B" % words, wrap(lambda a, b, c: fadd(fmt, a, b), ftz, ""))
        f.op("mul%s D, A, B" % words, wrap(lambda a, b, c: fmul(fmt, a, b), ftz, ""))
        f.op("neg%s D, A" % words, wrap(lambda a, b, c: a ^ fmt.sign, ftz, ""))
        f.op("abs%s D, A" % words, wrap(lambda a, b, c: a & ~fmt.sign, ftz, ""))
        for op in ("min", "max"):
            f.op("%s%s D, A, B" % (op, words), wrap(lambda a, b, c, op=op: fminmax(fmt, a, b, op == "max"), ftz, ""))
            if n == 32:
                f.op("%s%s.f32 D, A, B, C" % (op, ftz), wrap(lambda a, b, c, op=op: fminmax(fmt, fminmax(fmt, a, b, op == "max"), c, op == "max"), ftz, ""))
                f.op("%s%s.NaN.f32 D, A, B" % (op, ftz), wrap(lambda a, b, c, op=op: fminmax(fmt, a, b, op == "max", True), ftz, ""))
                f.op("%s%s.xorsign.abs.f32 D, A, B" % (op, ftz), wrap(lambda a, b, c, op=op: fminmax(fmt, a, b, op == "max", False, True), ftz, ""))
        for cmp in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
            clean = fmt.flush if ftz else lambda x: x
            f.op("setp.%s%s p|q, A, B;selp.f%d D, C, A, q" % (cmp, words, n),
                 lambda a, b, c, cmp=cmp, clean=clean: a if fcompare(fmt, cmp, clean(a), clean(b)) else c)
    f.op("copysign.f%d D, A, B" % n, lambda a, b, c: b & ~fmt.sign | a & fmt.sign)
    for what in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
        f.op("testp.%s.f%d p, A;selp.f%d D, B, C, p" % (what, n, n), lambda a, b, c, what=what: b if testp(fmt, a, what) else c)
    if n == 32:
        f.op("slct.f32.f32 D, A, B, C", lambda a, b, c: a if not fmt.is_nan(c) and fmt.number(c) >= 0 else b)
        f.op("slct.ftz.f32.f32 D, A, B, C", lambda a, b, c: a if not fmt.is_nan(c) and fmt.number(fmt.flush(c)) >= 0 else b)
        f.op("set.lt.f32.f32 D, A, B", lambda a, b, c: fmt.one if fcompare(fmt, "lt", a, b) else 0)
        f.op("setp.gt.f32 p, B, C;set.geu.and.f32.f32 D, A, B, !p", lambda a, b, c: fmt.one if fcompare(fmt, "geu", a, b) and not fcompare(fmt, "gt", b, c) else 0)
    return f


def halves(fmt, name):
    f = Family(name, "arithmetic on 16-bit floats, single and packed", "b32", "b32", declare=".reg .pred p;.reg .b16 h0, h1, h2, h3;.reg .b32 t0")
    rng = random.Random("%d %s" % (SEED, name))
    both = lambda: [x | y << 16 for x, y in zip(operands("", rng, fmt), operands("", rng, fmt))]
    f.a, f.b, f.c = both(), both(), both()
    bf = name == "bfloat16"
    canonical = lambda x: 0x7fff if fmt.is_nan(x) else x

    def two(fn):  # packed; NaNs have one payload per the ISA
        return lambda a, b, c: pack([canonical(fn(x, y, z)) for x, y, z in zip(fields(a, 16, False), fields(b, 16, False), fields(c, 16, False))], 16)

    def single(fn):
        return lambda a, b, c: canonical(fn(u(a, 16), u(b, 16), u(c, 16)))

    def emit(word, count, fn, forms=("", "x2")):
        names = "A, B, C".split(", ")[:count]
        for form in forms:
            text = "%s.%s%s" % (word, name.replace("loat", "") if bf else "f16", form)
            if form:
                f.op("%s D, %s" % (text, ", ".join(names)), two(fn))
            else:
                f.op(";".join("cvt.u16.u32 h%d, %s" % (i, x) for i, x in enumerate(names)) +
                     ";%s h3, %s;cvt.u32.u16 D, h3" % (text, ", ".join("h%d" % i for i in range(count))), single(fn))

    emit("fma.rn", 3, lambda a, b, c: ffma(fmt, a, b, c))
    relu = lambda x: fmt.nan if fmt.is_nan(x) else 0 if fmt.negative(x) else x
    emit("fma.rn.relu", 3, lambda a, b, c: relu(ffma(fmt, a, b, c)))
    emit("add", 2, lambda a, b, c: fadd(fmt, a, b))
    emit("sub", 2, lambda a, b, c: fadd(fmt, a, b ^ fmt.sign))
    emit("mul", 2, lambda a, b, c: fmul(fmt, a, b))
    if not bf:
        emit("add.rn.sat", 2, lambda a, b, c: fsat(fmt, fadd(fmt, a, b)))
        emit("mul.rn.ftz", 2, lambda a, b, c: fmt.flush(fmul(fmt, fmt.flush(a), fmt.flush(b))))
    for op in ("min", "max"):
        emit(op, 2, lambda a, b, c, op=op: fminmax(fmt, a, b, op == "max"))
        emit(op + ".NaN", 2, lambda a, b, c, op=op: fminmax(fmt, a, b, op == "max", True))
    for cmp in ("lt", "geu"):
        if not bf:
            f.op("cvt.u16.u32 h0, A;cvt.u16.u32 h1, B;setp.%s.f16 p, h0, h1;selp.u32 D, 1, 0, p" % cmp,
                 lambda a, b, c, cmp=cmp: fcompare(fmt, cmp, u(a, 16), u(b, 16)))
    return f


def conversions():
    families = []
    f = Family("cvt_int", "conversions between whole numbers", "b64", "b64", declare=".reg .b16 h;.reg .b32 w")
    bits = {"8": "h", "16": "h", "32": "w", "64": "A"}
    for src in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"):
        sn, sx = int(src[1:]), s if src[0] == "s" else u
        load = {"8": "cvt.u16.u64 h, A;", "16": "cvt.u16.u64 h, A;", "32": "cvt.u32.u64 w, A;", "64": ""}[src[1:]]
        for dst in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"):
            dn, dx = int(dst[1:]), s if dst[0] == "s" else u
            for sat in ("", ".sat"):
                # a narrow result fills its wider register with zeros or its sign
                clampf = (lambda v, dn=dn, d=dst[0]: sat_s(v, dn) if d == "s" else sat_u(v, dn)) if sat else (lambda v: v)
                f.op("%scvt%s.%s.%s D, %s" % (load, sat, dst, src, bits[src[1:]]),
                     lambda a, b, c, sn=sn, sx=sx, dn=dn, dx=dx, k=clampf: dx(k(sx(a, sn)), dn))
    families.append(f)
    for fmt, n in ((F32, 32), (F64, 64)):
        f = Family("cvt_f%d_to_int" % n, "conversions from f%d to whole numbers" % n, "f%d" % n, "b64", fmt, declare=".reg .b32 w;.reg .b16 h")
        for mode in ("rni", "rzi", "rmi", "rpi"):
            for dst in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"):
                dn, g = int(dst[1:]), dst[0] == "s"
                widen = (lambda v, dn=dn: s(v, dn)) if g else (lambda v: v)
                f.op("cvt.%s.%s.f%d D, A" % (mode, dst, n), lambda a, b, c, m=mode, dn=dn, g=g, k=widen, fmt=fmt: k(float_to_int(fmt, a, m, dn, g)))
        if n == 32:
            f.op("cvt.rzi.ftz.s32.f32 w, A;cvt.s64.s32 D, w", lambda a, b, c, fmt=fmt: s(float_to_int(fmt, fmt.flush(a), "rzi", 32, True)))
            f.op("cvt.rpi.ftz.u32.f32 w, A;cvt.u64.u32 D, w", lambda a, b, c, fmt=fmt: float_to_int(fmt, fmt.flush(a), "rpi", 32, False))
        families.append(f)
        f = Family("cvt_int_to_f%d" % n, "conversions from whole numbers to f%d" % n, "b64", "f%d" % n, declare=".reg .b32 w;.reg .b16 h")
        for mode in ("rn", "rz", "rm", "rp"):
            for src in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"):
                sn, sx = int(src[1:]), s if src[0] == "s" else u
                load = {8: "cvt.u16.u64 h, A;", 16: "cvt.u16.u64 h, A;", 32: "cvt.u32.u64 w, A;", 64: ""}[sn]
                f.op("%scvt.%s.f%d.%s D, %s" % (load, mode, n, src, bits[str(sn)]),
                     lambda a, b, c, m=mode, sn=sn, sx=sx, fmt=fmt: fmt.round(Fraction(sx(a, sn)), m))
        f.op("cvt.rn.sat.f%d.s64 D, A" % n, lambda a, b, c, fmt=fmt: fsat(fmt, fmt.round(Fraction(s(a, 64)))))
        families.append(f)
    f = Family("cvt_f64_to_f32", "conversions from f64 to f32 and f16", "f64", "f32", F64, declare=".reg .b16 h;.reg .b32 w;.reg .f32 g")
    for mode in ("rn", "rz", "rm", "rp"):
        f.op("cvt.%s.f32.f64 D, A" % mode, lambda a, b, c, m=mode: float_to_float(F64, F32, a, m))
        f.op("cvt.%s.ftz.f32.f64 D, A" % mode, lambda a, b, c, m=mode: F32.flush(float_to_float(F64, F32, a, m)))
        f.op("cvt.%s.sat.f32.f64 D, A" % mode, lambda a, b, c, m=mode: fsat(F32, float_to_float(F64, F32, a, m)))
        f.op("cvt.%s.f16.f64 h, A;cvt.f32.f16 D, h" % mode, lambda a, b, c, m=mode: float_to_float(F16, F32, float_to_float(F64, F16, a, m)))
    families.append(f)
    f = Family("cvt_f32", "conversions between f32 and other floats", "f32", "f64", F32, declare=".reg .b16 h;.reg .b32 w;.reg .f32 g;.reg .f64 e")
    up = lambda fmt, x: float_to_float(fmt, F64, x)
    f.op("cvt.f64.f32 D, A", lambda a, b, c: up(F32, a))
    f.op("cvt.ftz.f64.f32 D, A", lambda a, b, c: up(F32, F32.flush(a)))
    f.op("cvt.sat.f32.f32 g, A;cvt.f64.f32 D, g", lambda a, b, c: up(F32, fsat(F32, a)))
    f.op("cvt.ftz.f32.f32 g, A;cvt.f64.f32 D, g", lambda a, b, c: up(F32, F32.flush(a)))
    for mode in ("rni", "rzi", "rmi", "rpi"):
        f.op("cvt.%s.f32.f32 g, A;cvt.f64.f32 D, g" % mode, lambda a, b, c, m=mode: up(F32, float_integral(F32, a, m)))
        f.op("cvt.f64.f32 e, A;cvt.%s.f64.f64 D, e" % mode, lambda a, b, c, m=mode: float_integral(F64, up(F32, a), m))
    for mode in ("rn", "rz", "rm", "rp"):
        f.op("cvt.%s.f16.f32 h, A;cvt.f64.f16 D, h" % mode, lambda a, b, c, m=mode: up(F16, float_to_float(F32, F16, a, m)))
    for mode in ("rn", "rz"):
        f.op("cvt.%s.bf16.f32 h, A;cvt.f32.bf16 g, h;cvt.f64.f32 D, g" % mode, lambda a, b, c, m=mode: up(BF16, float_to_float(F32, BF16, a, m)))
        f.op("cvt.%s.f16x2.f32 w, A, B;cvt.u16.u32 h, w;cvt.f64.f16 D, h" % mode, lambda a, b, c, m=mode: up(F16, float_to_float(F32, F16, b, m)))
        f.op("cvt.%s.bf16x2.f32 w, A, B;and.b32 w, w, 0xffff0000;mov.b32 g, w;cvt.f64.f32 D, g" % mode, lambda a, b, c, m=mode: up(BF16, float_to_float(F32, BF16, a, m)))
    families.append(f)
    return families


def relative_bits(x):
    return "relative %.3g" % 2.0 ** -x


def approximate():
    """Within the error bounds that the PTX ISA gives, on operands where the bound is a relative or absolute one."""
    families = []
    f = Family("approx_f32", "approximate f32 functions, within the error bounds of the PTX ISA", "f32", "f32", F32, declare=".reg .b32 w")
    rng = random.Random("%d approx" % SEED)
    value = lambda v: F32.round(Fraction(v))
    f.a = [value(rng.uniform(0.01, 3)) for _ in range(28)] + [value(v) for v in (1.0, 2.0, 0.5, 3.0)]
    f.b = [value(rng.uniform(-3.1, 3.1)) for _ in range(28)] + [value(v) for v in (1.0, -1.0, 0.5, -2.0)]
    real = lambda x: float(F32.value(x))
    near = lambda fn, which: lambda a, b, c: F32.round(Fraction(fn(real(b if which else a))))
    for ftz in ("", ".ftz"):
        f.op("rcp.approx%s.f32 D, B" % ftz, near(lambda x: 1 / x, 1), relative_bits(22.9))
        f.op("sqrt.approx%s.f32 D, A" % ftz, near(math.sqrt, 0), relative_bits(22.9))
        f.op("rsqrt.approx%s.f32 D, A" % ftz, near(lambda x: 1 / math.sqrt(x), 0), relative_bits(22.4))
        f.op("sin.approx%s.f32 D, B" % ftz, near(math.sin, 1), "within %.3g" % 2.0 ** -20.5)
        f.op("cos.approx%s.f32 D, B" % ftz, near(math.cos, 1), "within %.3g" % 2.0 ** -20.5)
        f.op("lg2.approx%s.f32 D, A" % ftz, near(math.log2, 0), "within %.3g" % 2.0 ** -22)
        f.op("ex2.approx%s.f32 D, B" % ftz, near(lambda x: 2.0 ** x, 1), relative_bits(22.4))
        for full in ("approx", "full"):
            f.op("div.%s%s.f32 D, A, B" % (full, ftz), lambda a, b, c: F32.round(F32.value(a) / F32.value(b)), relative_bits(22))
    f.op("tanh.approx.f32 D, B", near(math.tanh, 1), relative_bits(11))
    families.append(f)
    f = Family("approx_special", "approximate f32 functions on zeros, infinities, NaN and the flushed smallest numbers", "f32", "f32", F32)
    zero, minus, one, inf, nan, tiny = 0, F32.sign, F32.one, F32.inf, F32.nan, 5
    f.a = ([zero, minus, one, inf, inf | minus, nan, tiny, tiny | minus] * 4)[:LANES]
    table = lambda *out: lambda a, b, c: dict(zip([zero, minus, one, inf, inf | minus, nan, tiny, tiny | minus], out))[a]
    f.op("rcp.approx.ftz.f32 D, A", table(inf, inf | minus, one, zero, minus, nan, inf, inf | minus))
    f.op("sqrt.approx.ftz.f32 D, A", table(zero, minus, one, inf, nan, nan, zero, minus))
    f.op("rsqrt.approx.ftz.f32 D, A", table(inf, inf | minus, one, zero, nan, nan, inf, inf | minus))
    f.op("lg2.approx.ftz.f32 D, A", table(inf | minus, inf | minus, zero, inf, nan, nan, inf | minus, inf | minus))
    f.op("ex2.approx.ftz.f32 D, A", table(one, one, F32.round(Fraction(2)), inf, zero, nan, one, one))
    f.op("sin.approx.ftz.f32 D, A", lambda a, b, c: F32.round(Fraction(math.sin(1))) if a == one else a & minus if a in (zero, minus, tiny, tiny | minus) else nan,
         "within 6.8e-07")
    f.op("cos.approx.ftz.f32 D, A", lambda a, b, c: F32.round(Fraction(math.cos(1))) if a == one else one if a in (zero, minus, tiny, tiny | minus) else nan,
         "within 6.8e-07")
    families.append(f)
    f = Family("approx_f64", "approximate f64 functions", "f64", "f64", F64)
    rng = random.Random("%d approx64" % SEED)
    f.a = [F64.round(Fraction(rng.uniform(0.01, 100))) for _ in range(LANES)]
    f.op("rsqrt.approx.f64 D, A", lambda a, b, c: F64.round(Fraction(1 / math.sqrt(float(F64.value(a))))), "relative 1e-6")
    f.op("rsqrt.approx.ftz.f64 D, A", lambda a, b, c: F64.round(Fraction(1 / math.sqrt(float(F64.value(a))))), "relative 1e-6")
    f.op("rcp.approx.ftz.f64 D, A", lambda a, b, c: F64.round(1 / F64.value(a)), "relative 1e-5")
    families.append(f)
    return families


def video():
    f = Family("video", "video instructions on bytes and half words", "b32", "b32", declare=".reg .b32 t0")
    part = {"": lambda x, g: s(x) if g else u(x)}
    for i in range(4):
        part[".b%d" % i] = lambda x, g, i=i: (s if g else u)(x >> 8 * i, 8)
    for i in range(2):
        part[".h%d" % i] = lambda x, g, i=i: (s if g else u)(x >> 16 * i, 16)
    second = {"": None, ".add": lambda x, c: x + c, ".min": min, ".max": max}
    ops = {"vadd": lambda x, y: x + y, "vsub": lambda x, y: x - y, "vabsdiff": lambda x, y: abs(x - y), "vmin": min, "vmax": max}
    rng = random.Random("%d video" % SEED)
    for op, fn in ops.items():
        for sat in ("", ".sat"):
            for two in ("", ".add", ".min", ".max"):
                dt, at, bt = rng.choice("us"), rng.choice("us"), rng.choice("us")
                asel, bsel = rng.choice(list(part)), rng.choice(list(part))

                def reference(a, b, c, fn=fn, sat=sat, two=two, dt=dt, at=at, bt=bt, asel=asel, bsel=bsel):
                    x = fn(part[asel](a, at == "s"), part[bsel](b, bt == "s"))
                    if sat:
                        x = sat_s(x) if dt == "s" else sat_u(x)
                    if not two:
                        return x
                    # Results of 34 bits, which unsigned destinations take for large numbers where they are negative.
                    return second[two](x, s(c)) if dt == "s" else second[two](x % (1 << 34), u(c))

                f.op("%s.%s32.%s32.%s32%s%s D, A%s, B%s%s" % (op, dt, at, bt, sat, two, asel, bsel, ", C" if two else ""), reference)
    for where in (".b0", ".b3", ".h1"):  # the result merged into a part of C
        width, at = (8, int(where[2]) * 8) if where[1] == "b" else (16, int(where[2]) * 16)
        f.op("vadd.u32.u32.u32 D%s, A.b1, B.b2, C" % where, lambda a, b, c, w=width, at=at:
             c & ~(((1 << w) - 1) << at) | u((a >> 8 & 255) + (b >> 16 & 255), w) << at)
    for mode in ("clamp", "wrap"):
        amount = (lambda b: min(b, 32)) if mode == "clamp" else (lambda b: b & 31)
        f.op("vshl.u32.u32.u32.%s D, A, B.b0" % mode, lambda a, b, c, k=amount: a << k(b & 255))
        f.op("vshr.u32.u32.u32.%s D, A, B.b0" % mode, lambda a, b, c, k=amount: a >> k(b & 255))
        f.op("vshr.s32.s32.u32.%s.add D, A, B.b0, C" % mode, lambda a, b, c, k=amount: (s(a) >> k(b & 255)) + c)
    for cmp in ("eq", "ne", "lt", "le", "gt", "ge"):
        f.op("vset.s32.u32.%s D, A.b0, B.b3" % cmp, lambda a, b, c, cmp=cmp: COMPARE[cmp](s(a, 8), b >> 24))
        f.op("vset.u32.u32.%s.add D, A.h0, B.h1, C" % cmp, lambda a, b, c, cmp=cmp: COMPARE[cmp](a & 0xffff, b >> 16) + c)
    f.op("vmad.u32.u32.u32 D, A.h0, B.h1, C", lambda a, b, c: (a & 0xffff) * (b >> 16) + c)
    f.op("vmad.s32.s32.s32 D, A.h0, B.b1, C", lambda a, b, c: s(a, 16) * s(b >> 8, 8) + c)
    f.op("vmad.s32.s32.s32.shr7 D, A.h0, B.h1, C", lambda a, b, c: s(a, 16) * s(b >> 16, 16) + s(c) >> 7)
    f.op("vmad.s32.s32.s32.sat.shr15 D, A.h0, B.h1, C", lambda a, b, c: sat_s(s(a, 16) * s(b >> 16, 16) + s(c) >> 15))
    for n, width in ((2, 16), (4, 8)):
        lanes = lambda x, g, width=width: fields(x, width, g)
        for op, fn in list(ops.items()) + [("vavrg", lambda x, y: (x + y + (x + y >= 0)) >> 1)]:
            for t in "us":
                g = t == "s"
                f.op("%s%d.%s32.%s32.%s32 D, A, B, C" % (op, n, t, t, t), lambda a, b, c, fn=fn, g=g, lanes=lanes, width=width:
                     pack([fn(x, y) for x, y in zip(lanes(a, g), lanes(b, g))], width))
        f.op("vadd%d.u32.u32.u32.sat D, A, B, C" % n, lambda a, b, c, lanes=lanes, width=width:
             pack([min(x + y, (1 << width) - 1) for x, y in zip(lanes(a, False), lanes(b, False))], width))
        f.op("vabsdiff%d.u32.u32.u32.add D, A, B, C" % n, lambda a, b, c, lanes=lanes: sum(abs(x - y) for x, y in zip(lanes(a, False), lanes(b, False))) + c)
        f.op("vset%d.u32.u32.lt D, A, B, C" % n, lambda a, b, c, lanes=lanes, width=width:
             pack([int(x < y) for x, y in zip(lanes(a, False), lanes(b, False))], width))
    f.op("vadd4.u32.u32.u32 D.b20, A.b7531, B, C", lambda a, b, c: pack(
        [x + y if i in (0, 2) else z for i, (x, y, z) in enumerate(zip([(b << 32 | a) >> 8 * k & 255 for k in (1, 3, 5, 7)], fields(b, 8, False), fields(c, 8, False)))], 8))
    return f


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    families = [integers(16), integers(32), integers(64), integers32(), wide(), floats(F32, 32), floats(F64, 64), halves(F16, "half16"),
                halves(BF16, "bfloat16"), video()] + conversions() + approximate()
    for f in families:
        if len(sys.argv) == 1 or f.name in sys.argv[1:]:
            f.write(folder)


if __name__ == "__main__":
    main()
