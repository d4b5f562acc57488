# make_onto.py - a frame with columns at 1e300, 1e-300 and an offset of 1e12, other rows, and their scores in its components.
# usage, in tests/oracle: python3 make_onto.py (Python 3, standard library: decimal numbers of 80 digits, the method of Jacobi)
# Writes onto_map.csv, onto_rows.csv and onto.oracle.csv (lines: what, i, j, value).
import random
from decimal import Decimal, getcontext
import platform

getcontext().prec = 80
getcontext().Emax, getcontext().Emin = 10**6, -10**6
ROWS, OTHERS = 9, 4
SCALES = [(1e300, 0.0), (1e-300, 0.0), (1.0, 1e12), (3.0, -2.0)]


def draw(rows):
    out = []
    for _ in range(rows):
        a, b, c, d = (random.random() for _ in range(4))
        mix = (a + b / 4, b - a / 3, c + a / 5, a + d)
        out.append([x * scale + offset for x, (scale, offset) in zip(mix, SCALES)])
    return out


def number(x):
    return repr(float(x))


def write(name, what, rows, prefix):
    with open(name, "w") as f:
        head(f, what)
        f.write("# labels: 1\nrow," + ",".join("c%d" % (j + 1) for j in range(len(SCALES))) + "\n")
        for i, row in enumerate(rows):
            f.write("%s%d,%s\n" % (prefix, i + 1, ",".join(number(x) for x in row)))


def head(f, what):
    f.write("# oracle: %s\n# program: Python %s, decimal with 80 digits\n# command: python3 make_onto.py (in tests/oracle)\n" % (what, platform.python_version()))


def jacobi(a):
    n = len(a)
    v = [[Decimal(int(i == j)) for j in range(n)] for i in range(n)]
    for _ in range(60):
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q] == 0:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = (1 if theta >= 0 else -1) / (abs(theta) + (theta * theta + 1).sqrt())
                c = 1 / (t * t + 1).sqrt()
                s = t * c
                for k in range(n):
                    a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
                for k in range(n):
                    a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
                for k in range(n):
                    v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
    order = sorted(range(n), key=lambda i: -a[i][i])
    columns = []
    for i in order:
        column = [v[k][i] for k in range(n)]
        if max(column, key=abs) < 0:  # the largest loading is positive
            column = [-x for x in column]
        columns.append(column)
    return [a[i][i] for i in order], columns


random.seed(20130801)
rows, others = draw(ROWS), draw(OTHERS)
write("onto_map.csv", "rows that make components", rows, "r")
write("onto_rows.csv", "other rows", others, "o")
n = len(SCALES)
exact = [[Decimal(x) for x in row] for row in rows]
mean = [sum(row[j] for row in exact) / ROWS for j in range(n)]
deviation = [(sum((row[j] - mean[j]) ** 2 for row in exact) / (ROWS - 1)).sqrt() for j in range(n)]
z = lambda row: [(Decimal(row[j]) - mean[j]) / deviation[j] for j in range(n)]
standard = [z(row) for row in rows]
correlation = [[sum(row[i] * row[j] for row in standard) / (ROWS - 1) for j in range(n)] for i in range(n)]
eigenvalue, loading = jacobi(correlation)
with open("onto.oracle.csv", "w") as f:
    head(f, "eigenvalues of onto_map.csv, scores of its rows and of those of onto_rows.csv")
    f.write("# labels: 1\nwhat,i,j,value\n")
    for j, x in enumerate(eigenvalue):
        f.write("eigenvalue,%d,0,%s\n" % (j + 1, number(x)))
    for what, which in (("score", rows), ("onto", others)):
        for i, row in enumerate(which):
            for j, column in enumerate(loading):
                f.write("%s,%d,%d,%s\n" % (what, i + 1, j + 1, number(sum(x * l for x, l in zip(z(row), column)))))
