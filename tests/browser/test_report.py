#!/usr/bin/env python3
"""test_report.py - do people find in a report's page what its frames say, and does everything that can be clicked work?

usage: test_report.py PROGRAM FOLDER [CHECK...]   FOLDER has the pages that tests/runners/run_browser.sh makes
What the page shows is compared with the frames beside it and with what other commands say; checks are the functions check_*, each has a page
of its own. The last line is "browser: N passed, M failed".
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback

from chromium import Page

PROGRAM, FOLDER = os.path.realpath(sys.argv[1]), sys.argv[2]
PAPER = 720  # pixels of a page of A4 between its margins
WIDTHS = (1280, 768, 390, 320)  # desktop, tablet, telephones
MOST_NODES = 12000  # of a page of however many rows
MOST_BYTES = 20e6
MANY = 100000
browser = None


def page_of(report):
    return os.path.join(FOLDER, report, "index.html")


def open_page(report, fragment="", **looks):
    browser.look(**looks)
    return browser.open(page_of(report), fragment)


def read_frame(path):
    """Header, and rows as dictionaries of texts."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        lines = file.readlines()
    start = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    rows = list(csv.reader(lines[start:]))
    labels = next(int(line.split(":")[1]) for line in lines[:start] if line.startswith("# labels:"))
    return rows[0], [dict(zip(rows[0], row)) for row in rows[1:]], labels


def frame(report, name):
    return read_frame(os.path.join(FOLDER, report, "frames", name + ".csv"))[1]


def kernel_name(row):
    return row["workload"] + "/" + row["kernel"]


def equal(got, wanted, what=""):
    assert got == wanted, f"{what}: {got!r} instead of {wanted!r}"


def near(got, wanted, what="", part=1e-12):
    assert abs(got - wanted) <= part * max(abs(got), abs(wanted)), f"{what}: {got} instead of {wanted}"


def texts(selector):
    return browser.js("[...document.querySelectorAll(%s)].map((e) => e.textContent)" % json.dumps(selector))


def names_in(table):
    return browser.js("[...document.querySelectorAll('[data-part=table][data-frame=%s] tbody tr')].map((e) => e.dataset.name)" % table)


def at(table):
    return f"[data-part=table][data-frame={table}] "


def count(selector):
    return browser.js("document.querySelectorAll(%s).length" % json.dumps(selector))


# ---------------------------------------------------------------- tables

def check_sorting():
    open_page("suite")
    work = {kernel_name(row): float(row["launches"]) for row in frame("suite", "work")}
    heading = at("kernels") + "thead [data-column=launches]"
    for turn in (sorted(work.values(), reverse=True), sorted(work.values())):
        browser.click(heading)
        shown = names_in("kernels")
        equal([work[name] for name in shown], turn[:len(shown)], "launches in order")
    equal(browser.js("document.querySelector(%s).closest('th').getAttribute('aria-sort')" % json.dumps(heading)), "ascending")
    browser.click(at("kernels") + "thead [data-column=kernel]")
    equal(names_in("kernels")[0], sorted(work)[0], "by name")


def check_pages():
    open_page("suite")
    seen, rows = [], len(frame("suite", "kernels"))
    while True:
        seen += names_in("kernels")
        if browser.js("document.querySelector('[data-frame=kernels] .pager button:last-child').disabled"):
            break
        browser.click("[data-frame=kernels] .pager button:last-child")
    equal((len(seen), len(set(seen))), (rows, rows), "every row once")


def check_search_and_filter():
    open_page("suite")
    kernels = frame("suite", "kernels")
    browser.set(at("kernels") + "input[type=search]", "bFs")
    shown = names_in("kernels")
    assert shown and all("bfs" in name.lower() for name in shown), shown
    browser.set(at("kernels") + "input[type=search]", "")
    browser.set(at("kernels") + ".tools select", "simd_efficiency")
    browser.set(at("kernels") + ".tools label + label select", "<")
    browser.set(at("kernels") + "input.value", "0.5")
    wanted = sum(float(row["simd_efficiency"]) < 0.5 for row in kernels if row["simd_efficiency"] != "NA")
    equal(texts(at("kernels") + ".count")[0], f"{wanted} of {len(kernels)} kernels")


def check_columns():
    open_page("suite")
    browser.click(at("all") + "summary")
    before = count(at("all") + "thead th")
    browser.js("[...document.querySelectorAll('%s.columns label')].find((e) => e.textContent.trim() === 'I_fop').querySelector('input').click()" % at("all"))
    browser.settle()
    equal(count(at("all") + "thead th"), before + 1, "columns")
    assert texts(at("all") + "thead th")[-1].startswith("I_fop"), texts(at("all") + "thead th")


# ---------------------------------------------------------------- marks

def marked(part, name):
    return count(f'[data-part={part}] [data-name="{name}"].marked')


def check_a_click_marks_everywhere():
    open_page("suite")
    parts = ("table", "scatter", "dendrogram", "clusters", "heatmap")
    clicks = (at("all") + 'tr[data-name="BFS"] td', '#space [data-part=scatter] [data-name="BFS"] path:last-child', '[data-part=dendrogram] [data-name="BFS"] text',
              '[data-part=heatmap] [data-name="BFS"] text', '[data-part=clusters] [data-name="BFS"]')
    for selector in clicks:
        browser.click(selector)
        equal([part for part in parts if not marked(part, "BFS")], [], f"marked by {selector}")
        assert "BFS" in texts("#marks .chip")[0]
        equal(set(texts(".card h4")), {kernel_name(r) for r in frame("suite", "kernels") if r["workload"] == "BFS"}, "its kernels in words")
        browser.click("#marks > button")
        equal(count(".marked"), 0, "unmarked")


def check_a_frame_marks_what_is_in_it():
    open_page("suite")
    box = browser.js("(() => { const s = document.querySelector('#space [data-part=scatter] svg'); s.scrollIntoView({block: 'center'});"
                     " const b = s.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
    browser.settle()
    left, top, width, height = box
    x0, y0, x1, y1 = left + 62, top + 20, left + width * 0.5, top + height * 0.55
    inside = browser.js("[...document.querySelectorAll('#space [data-part=scatter] .point')].filter((e) => { const b = e.querySelector('path').getBoundingClientRect();"
                        " const x = b.left + b.width / 2, y = b.top + b.height / 2; return x > %f && x < %f && y > %f && y < %f; }).map((e) => e.dataset.name)"
                        % (x0, x1, y0, y1))
    assert inside, "the frame is empty"
    browser.drag(x0, y0, x1, y1)
    got = browser.js("[...document.querySelectorAll('#space [data-part=scatter] .point.marked')].map((e) => e.dataset.name)")
    assert abs(len(set(got) ^ set(inside))) <= 1, (got, inside)  # one may lie on the edge


def check_keyboard():
    open_page("suite")
    browser.js("document.querySelector('%str button.row').focus()" % at("all"))
    browser.key("Enter")
    equal(count(at("all") + "tr.marked"), 1, "marked by Enter")
    browser.js("document.querySelector('#space [data-part=scatter] .point').focus()")
    first = browser.js("document.activeElement.dataset.name")
    browser.key("ArrowRight")
    second = browser.js("document.activeElement.dataset.name")
    assert first != second
    browser.key("Enter")
    equal(marked("scatter", second), 1, "point marked by Enter")


def check_branches_by_keyboard():
    """From the root to every branch and leaf by arrows; Enter marks what is below, and takes the marks away."""
    open_page("suite")
    tree = "#similarity [data-part=dendrogram] "
    equal(count(tree + ".branch[tabindex='0']"), 1, "branches that Tab comes to")
    browser.js(f"document.querySelector(\"{tree}.branch[tabindex='0']\").focus()")
    words = "document.activeElement.getAttribute('aria-label')"
    seen, root = set(), browser.js(words)

    def walk():
        here = browser.js(words)
        seen.add(here)
        browser.key("ArrowLeft")
        if browser.js(words) == here:
            return  # a leaf
        walk()
        upper = browser.js(words)
        browser.key("ArrowDown")
        assert browser.js(words) != upper
        walk()
        browser.key("ArrowUp")
        equal(browser.js(words), upper, "back to the upper one")
        browser.key("ArrowRight")
        equal(browser.js(words), here, "back to what it is part of")

    walk()
    equal(len(seen), count(tree + ".branch") + count(tree + ".leaf"), "all of the tree")
    rows = len(frame("suite", "scores"))
    assert root.startswith(f"{rows} rows joined at"), root
    browser.key("ArrowLeft")
    below = int(browser.js(words).split(" ")[0])
    browser.key("Enter")
    equal(count(tree + ".leaf.marked"), below, "marked by Enter")
    equal(browser.js("document.activeElement.getAttribute('aria-pressed')"), "true", "pressed")
    browser.key("Enter")
    equal(count(tree + ".leaf.marked"), 0, "not marked any longer")


def check_links_to_sections():
    """In a browser, too, that does not keep in place what is seen while something above it grows."""
    browser.call("Page.addScriptToEvaluateOnNewDocument",
                 source="document.addEventListener('readystatechange', () => { document.documentElement.style.overflowAnchor = 'none'; })")
    for section in ("similarity", "compare", "frames"):
        open_page("suite", "#" + section)
        top, end = browser.js("[document.getElementById('%s').getBoundingClientRect().top, scrollY + innerHeight >= document.body.scrollHeight - 1]" % section)
        assert -1 <= top <= 80 or end, f"{section} is at {top}"


def check_links_to_rows():
    for report, fragment, name in (("suite", "#w-WP", "WP"), ("suite", "#k-BFS/bfs_expand", "BFS/bfs_expand")):
        open_page(report, fragment)
        equal(count(f'tr.marked[data-name="{name}"]'), 1, fragment)
        inside = browser.js("(() => { const b = document.querySelector('tr.marked').getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight; })()")
        assert inside, f"{fragment} is not in the window"
        equal(browser.js("document.getElementById(decodeURIComponent(location.hash.slice(1))).dataset.name"), name, "id")


# ---------------------------------------------------------------- map

def cluster_command(linkage, k):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "cut.csv")
        subprocess.run([PROGRAM, "cluster", os.path.join(FOLDER, "suite/frames/scores.csv"), "--linkage", linkage, "--k", str(k), "--assign", out],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return {row["workload"]: (int(row["cluster"]), row["representative"] == "1") for row in read_frame(out)[1]}


def check_cuts_are_those_of_the_command():
    open_page("suite")
    for linkage in ("complete", "single", "average", "ward"):
        browser.set("[data-part=cut] select", linkage)
        for k in (1, 2, 3, 7, 20):
            browser.set("[data-part=cut] input[type=range]", str(k))
            wanted = cluster_command(linkage, k)
            got = browser.js("[...document.querySelectorAll('#space [data-part=scatter] .point')].map((e) => [e.dataset.name, e.dataset.tip.match(/cluster (\\d+)/)[1],"
                             " e.dataset.tip.includes('stands for it')])")
            equal({name: (int(c), stands) for name, c, stands in got}, wanted, f"{linkage}, {k}")
            rows = browser.js("[...document.querySelectorAll('[data-part=clusters] tbody tr')].map((e) => [e.cells[1].textContent, Number(e.cells[2].textContent)])")
            sizes = [sum(c == n for c, _ in wanted.values()) for n in range(1, k + 1)]
            equal([size for _, size in rows], sizes, f"sizes of {linkage}, {k}")
            equal([name for name, _ in rows], [next(w for w, v in wanted.items() if v == (n, True)) for n in range(1, k + 1)], "representatives")


def check_silhouettes():
    open_page("suite")
    for row in frame("suite", "quality")[:10]:
        browser.set("[data-part=cut] input[type=range]", row["clusters"])
        words = texts("[data-part=cut] .verdict")[0]
        assert f"{float(row['silhouette']):.2f}" in words, (words, row)
        equal(words.startswith("Caution"), float(row["silhouette"]) < 0.25, "weak silhouettes are said")


def check_axes():
    open_page("suite")
    rows = {row["workload"]: row for row in frame("suite", "all")}
    selects = "#space [data-part=scatter] .tools select"
    browser.set(selects, "all:I_total")
    tips = browser.js("[...document.querySelectorAll('#space [data-part=scatter] .point')].map((e) => [e.dataset.name, e.getBoundingClientRect().left])")
    by_place = [name for name, _ in sorted(tips, key=lambda p: p[1])]
    wanted = sorted(rows, key=lambda name: float(rows[name]["I_total"]))
    equal(by_place[-3:], wanted[-3:], "the largest are rightmost")
    browser.click("#space [data-part=scatter] input[type=checkbox]")  # logarithmic
    tips = browser.js("[...document.querySelectorAll('#space [data-part=scatter] .point')].map((e) => [e.dataset.name, e.getBoundingClientRect().left])")
    equal([name for name, _ in sorted(tips, key=lambda p: p[1])], wanted, "order on a logarithmic axis")
    assert any("I_total" in title for title in texts("#space [data-part=scatter] text.title"))


def check_hints():
    open_page("suite")
    browser.hover('#space [data-part=scatter] [data-name="MM"] path:last-child')
    row = next(r for r in frame("suite", "scores") if r["workload"] == "MM")
    words = texts("#tip")[0]
    assert "MM" in words and "PC1: " + f"{float(row['PC1']):.4g}".replace("-", "−") in words, (words, row["PC1"])
    browser.hover(at("kernels") + "thead [data-column=simd_efficiency]")
    words = texts("#tip")[0]
    assert "simd_efficiency (ratio)" in words and len(words) > 60, words
    browser.hover("[data-part=heatmap] svg .ground")
    assert "standard deviations" in texts("#tip")[0], texts("#tip")
    browser.key("Escape")
    equal(browser.js("document.getElementById('tip').hidden"), True, "Escape hides it")


# ---------------------------------------------------------------- comparison

def check_comparison():
    open_page("suite")
    kernels = {kernel_name(row): row for row in frame("suite", "kernels")}
    a, b = "BFS/bfs_expand", "MM/matmul_tiled"
    browser.set("[data-part=compare] select", "kernels")
    for field, name in (("First row", a), ("Second row", b)):
        browser.set(f'[data-part=compare] input[aria-label="{field}"]', name)
    equal(texts("[data-part=compare] thead th")[1:3], [a, b], "who is compared")
    first = browser.js("(() => { const r = document.querySelector('[data-part=compare] tbody tr'); return [r.querySelector('th span').textContent, r.cells[4].textContent]; })()")

    def distance(column):
        values = [float(row[column]) for row in kernels.values() if row[column] not in ("NA", "Inf", "-Inf")]
        x, y = kernels[a][column], kernels[b][column]
        mean = sum(values) / len(values) if values else 0
        deviation = (sum((v - mean) ** 2 for v in values) / (len(values) - 1)) ** 0.5 if len(values) > 2 else 0
        return abs(float(x) - float(y)) / deviation if deviation and "NA" not in (x, y) else 0

    numbers = [c for c in kernels[a] if c not in ("workload", "kernel", "mangled")]
    most = max(numbers, key=distance)
    near(float(first[1]), round(distance(most), 2), "the largest difference", 0.01)
    browser.js("document.querySelectorAll('%str button.row')[0].click()" % at("kernels"))
    browser.js("document.querySelectorAll('%str button.row')[1].click()" % at("kernels"))
    browser.settle()
    equal(texts("[data-part=compare] thead th")[1:3], names_in("kernels")[:2], "marks are compared")
    for name in ("WP", "64H"):
        browser.click(f'[data-part=dendrogram] [data-name="{name}"] text')
    equal(texts("[data-part=compare] thead th")[1:3], ["WP", "64H"], "marked workloads are compared")


# ---------------------------------------------------------------- data

def check_downloads():
    open_page("suite")
    names = texts(".downloads button")
    equal(set(names), {f[:-4] for f in os.listdir(os.path.join(FOLDER, "suite/frames"))}, "frames")
    with tempfile.TemporaryDirectory() as folder:
        browser.downloads_to(folder)
        for name in names:
            browser.click(f'.downloads [data-frame="{name}"]')
            path, end = os.path.join(folder, name + ".csv"), time.time() + 30
            while not os.path.exists(path) and time.time() < end:
                time.sleep(0.05)
            compare_frames(path, os.path.join(FOLDER, "suite/frames", name + ".csv"))
        subprocess.run([PROGRAM, "pca", os.path.join(folder, "map.csv")], check=True, stdout=subprocess.DEVNULL)


def compare_frames(got, wanted):
    (head, rows, labels), (head2, rows2, labels2) = read_frame(got), read_frame(wanted)
    equal((head, labels, len(rows)), (head2, labels2, len(rows2)), got)
    for row, row2 in zip(rows, rows2):
        for j, column in enumerate(head):
            if j < labels or row2[column] in ("NA", "Inf", "-Inf"):
                equal(row[column], row2[column], column)
            else:
                equal(float(row[column]), float(row2[column]), column)


def check_many_numbers_come_back():
    """Numbers that the page holds in single precision are the frame's to the digits that it promises, missing and infinite ones, too."""
    open_page("gaps")
    with tempfile.TemporaryDirectory() as folder:
        browser.downloads_to(folder)
        browser.click('.downloads [data-frame="rows"]')
        path, end = os.path.join(folder, "rows.csv"), time.time() + 30
        while not os.path.exists(path) and time.time() < end:
            time.sleep(0.05)
        compare_frames(path, os.path.join(FOLDER, "gaps/frames/rows.csv"))


def check_names_of_any_kind():
    """Markup, quotes, line ends, the end of a script, 300 letters: names are what they were, and nothing of them is obeyed."""
    open_page("names")
    _, rows, _ = read_frame(os.path.join(FOLDER, "names.csv"))
    equal(sorted(browser.js("[...document.querySelectorAll('%stbody tr')].map((e) => e.dataset.name)" % at("rows"))), sorted(row["name"] for row in rows), "names")
    equal(count("b.injected, img.injected"), 0, "elements from names")
    assert browser.js("window.injected === undefined")
    browser.click(at("rows") + "tbody tr")
    equal(count("#space [data-part=scatter] .point.marked"), 1, "marked")
    with tempfile.TemporaryDirectory() as folder:
        browser.downloads_to(folder)
        browser.click('.downloads [data-frame="rows"]')
        path, end = os.path.join(folder, "rows.csv"), time.time() + 30
        while not os.path.exists(path) and time.time() < end:
            time.sleep(0.05)
        compare_frames(path, os.path.join(FOLDER, "names/frames/rows.csv"))


# ---------------------------------------------------------------- pages of all kinds

def check_one_kernel():
    open_page("one")
    equal(texts(".card h4"), ["sums/sums"], "the kernel")
    words = texts(".card")[0]
    assert "sectors per load" in words and "Try: let neighbouring threads read neighbouring addresses" in words, words
    assert "out[column] = square(a[column * n]);" in texts(".lines tbody")[0], "the source of a hot line"
    assert "a map needs at least 3" in texts("#space")[0], texts("#space")
    equal(count("[data-part=dendrogram]"), 0, "no tree")


def check_kernels_of_one_program():
    open_page("kernels")
    equal(count("#space [data-part=scatter] .point"), len(frame("kernels", "kernels")), "kernels in the map")
    assert count("[data-part=dendrogram] .leaf") >= 3


def check_without_gnuplot():
    open_page("plain")
    assert "gnuplot is not installed" in texts("#space")[0]
    equal(count("figure img"), 0, "still pictures")
    assert count("#space [data-part=scatter] .point") and count("[data-part=dendrogram] .leaf") and count("[data-part=heatmap] .leaf")


def check_many_rows():
    opened, whole = open_page("many")
    size = os.path.getsize(page_of("many"))
    print(f"note: a page of {MANY} rows has {size / 1e6:.1f} MB and opens in {opened:.2f} s, with all of its parts in {whole:.2f} s", flush=True)
    assert count("*") < MOST_NODES, count("*")
    assert size < MOST_BYTES, size
    equal(len(names_in("rows")), 20, "rows of a page")
    assert f"{MANY:,}".replace(",", "\u202f") in texts(at("rows") + ".count")[0]
    assert "of the rows, every" in texts("#space")[0] and "The page holds" in texts(at("rows") + ".note")[0]
    browser.click("#space [data-part=scatter] .point:last-child path")
    name = browser.js("document.querySelector('#space .point.marked').dataset.name")
    equal(count("[data-part=dendrogram] .leaf.marked"), 1, f"the group of {name} in the tree")
    browser.set(at("rows") + "input[type=search]", "kernel_99999")
    equal(names_in("rows"), ["kernel_99999"], "the last row is there")


def check_widths():
    for report in ("suite", "one", "kernels", "names", "plain"):
        for width in WIDTHS:
            open_page(report, width=width, mobile=width < 500)
            got = browser.js("document.documentElement.scrollWidth")
            assert got <= width, f"{report} at {width}: {got} wide"


def check_words_for_pictures():
    open_page("suite")
    alt = browser.js("[...document.querySelectorAll('figure img')].map((e) => e.alt)")
    assert len(alt) >= 8 and all(len(text) > 30 for text in alt), alt
    live = browser.js("[...document.querySelectorAll('figure.live svg')].map((e) => e.getAttribute('aria-label'))")
    assert len(live) == 4 and all(text and len(text) > 40 for text in live), live
    unnamed = browser.js("[...document.querySelectorAll('button, input, select')].filter((e) => !(e.textContent || e.labels?.length || e.getAttribute('aria-label'))).length")
    equal(unnamed, 0, "controls without a name")


def check_dark_and_print():
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).reduce((a, b) => a + b)"
    open_page("suite", dark=True)
    assert browser.js(ground) < 150
    assert "invert" in browser.js("getComputedStyle(document.querySelector('figure img')).filter"), "pictures are dark, too"
    browser.look(dark=True, media="print")
    assert browser.js(ground) > 700, "paper is white"
    equal(browser.js("[...document.querySelectorAll('.tools, .pager, #marks')].filter((e) => getComputedStyle(e).display !== 'none').length"), 0, "controls on paper")
    for report in ("suite", "kernels", "names"):
        open_page(report, width=PAPER, media="print")
        got = browser.js("Math.max(...[...document.querySelectorAll('main, table, img')].map((e) => e.getBoundingClientRect().right))")
        assert got <= PAPER, f"{report} on paper is {got} wide"


# ---------------------------------------------------------------- all of them

def run(check):
    global browser
    browser = Page(os.environ.get("CHROMIUM", "chromium"))
    try:
        check()
        equal(browser.errors, [], "errors of the console")
        equal([url for url in browser.requests if not url.startswith(("file:", "data:", "blob:", "about:"))], [], "requests to the network")
        return True
    except Exception:  # a check that breaks has failed, whatever broke
        print(f"FAILED {check.__name__}\n{traceback.format_exc()}", flush=True)
        return False
    finally:
        browser.close()


def main():
    checks = [check for name, check in globals().items() if name.startswith("check_") and (len(sys.argv) < 4 or name in sys.argv[3:])]
    passed = sum(run(check) for check in checks)
    print(f"browser: {passed} passed, {len(checks) - passed} failed")
    return passed != len(checks)


if __name__ == "__main__":
    sys.exit(main())
