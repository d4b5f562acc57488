"""Reads what warpscape writes into pandas: frames (CSV with comments) and results files (SQLite).

    import warpscape
    x = warpscape.read_frame("metrics.csv")                       # what `warpscape metrics` and the like print
    k = warpscape.read_results("results.db", "kernel_metrics")    # a view of docs/formats.md
    x.attrs["units"]["simd_efficiency"], k.attrs["definitions"]["simd_efficiency"]
    warpscape.tidy(x)                                             # a row a value: labels, metric, value, unit

Missing values are NaN; columns of text are those that the frame calls labels, also where they look like numbers.
"""

import io
import os
import re
import sqlite3
import urllib.parse

import pandas

__all__ = ["read_frame", "read_results", "views", "tidy", "wide"]
__version__ = "0.1.0"

_FRAME = 1  # the newest format of frames that is read
_VIEWS = 1  # of views
_MISSING = ["", "NA", "NaN"]
_TEXT = {"workload", "kernel", "mangled", "text", "file", "metric", "unit", "family", "view", "definition", "scale", "seed",
         "command", "version", "status", "selection", "sampling", "left_out"}


def _comments(text):
    """The comment lines in front, without their sign, and the rest."""
    notes = []
    while text.startswith("#"):
        line, _, text = text.partition("\n")
        notes.append(line[1:].strip())
    return notes, text


def _column_line(line):
    """Of `column NAME unit=UNIT group=GROUP`: the name and a dict; None for another line."""
    words = line.split(" ")
    if words[0] != "column" or len(words) < 2:
        return None
    pairs = (word.split("=", 1) for word in words[2:] if "=" in word)
    return urllib.parse.unquote(words[1]), {key: urllib.parse.unquote(value) for key, value in pairs}


def read_frame(source):
    """A frame as a DataFrame. source: a path, or a stream of text such as sys.stdin.

    attrs: units and groups (by column), labels (names of the columns of text in front), notes (provenance, "KEY: VALUE")."""
    if hasattr(source, "read"):
        text, name = source.read(), getattr(source, "name", "stream")
    else:
        with open(source, encoding="utf-8", newline="") as stream:
            text, name = stream.read(), source
    notes, body = _comments(text)
    known = re.match(r"warpscape frame (\d+)$", notes[0]) if notes else None
    if known and int(known[1]) > _FRAME:
        raise ValueError(f"{name}: a frame of format {known[1]}; this reader knows {_FRAME}: use one of a newer warpscape")
    columns = dict(filter(None, map(_column_line, notes)))
    labels = next((int(n.split(":")[1]) for n in notes if n.startswith("labels:")), None)
    # Everything as text first: a kernel may be called NA.
    cells = pandas.read_csv(io.StringIO(body), dtype=str, keep_default_na=False)
    if labels is None:  # a frame that somebody else wrote
        labels = next((i for i, c in enumerate(cells) if _is_numeric(cells[c])), len(cells.columns))
    numbers = {c: _numbers(cells[c], name) for c in cells.columns[labels:]}
    frame = pandas.concat([cells.iloc[:, :labels], pandas.DataFrame(numbers, index=cells.index)], axis=1)
    frame.attrs = {"units": {c: a["unit"] for c, a in columns.items() if "unit" in a},
                   "groups": {c: a["group"] for c, a in columns.items() if "group" in a},
                   "labels": list(cells.columns[:labels]),
                   "notes": [n for n in notes[1 if known else 0:] if not n.startswith(("column ", "labels:"))]}
    return frame


def _numbers(cells, name):
    try:
        return [float("nan") if c.strip() in _MISSING else float(c) for c in cells]
    except ValueError as error:
        raise ValueError(f"{name}: column {cells.name}: {error}") from None


def _is_numeric(cells):
    try:
        return _numbers(cells, "") is not None
    except ValueError:
        return False


def _open(path):
    """For reading alone; a file that nobody may write is read as it stands."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: no such file")
    uri = "file:" + urllib.parse.quote(str(path)) + "?mode=ro"
    database = sqlite3.connect(uri, uri=True)
    try:
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:  # its folder cannot be written, which a log would need
        database.close()
        database = sqlite3.connect(uri + "&immutable=1", uri=True)
    except sqlite3.DatabaseError:
        pass  # _check says what it is not
    return database


def _check(database, path):
    try:
        (version,) = database.execute("SELECT views FROM about").fetchone()
    except sqlite3.DatabaseError as error:
        database.close()
        raise ValueError(f"{path}: no results file with views ({error}); any `warpscape run` into it makes them") from None
    if version > _VIEWS:
        raise ValueError(f"{path}: views of version {version}; this reader knows {_VIEWS}: use one of a newer warpscape")


def views(path):
    """Names of the views of a results file."""
    database = _open(path)
    try:
        _check(database, path)
        return [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")]
    finally:
        database.close()


def read_results(path, view="kernel_metrics", run=None):
    """A view of a results file as a DataFrame; run: rows of that run, though a later one of its workload counts.

    attrs: units, groups and definitions (by column), labels."""
    names = views(path)
    if view not in names:
        raise ValueError(f"{path}: there is no view {view}; there are {', '.join(names)}")
    database = _open(path)
    try:
        if run is None or view in ("about", "metrics"):
            frame = pandas.read_sql_query(f'SELECT * FROM "{view}"', database)
        else:
            every = view if view.startswith("all_") else "all_" + view
            frame = pandas.read_sql_query(f'SELECT * FROM "{every}" WHERE run = ?', database, params=(run,))
        about = database.execute("SELECT metric, unit, family, definition FROM metrics WHERE view = ?",
                                 (view.removeprefix("all_"),)).fetchall()
    finally:
        database.close()
    about = [row for row in about if row[0] in frame.columns]
    for metric, *_ in about:  # None of a column without any value
        frame[metric] = pandas.to_numeric(frame[metric])
    frame.attrs = {"units": {metric: unit for metric, unit, _, _ in about},
                   "groups": {metric: family for metric, _, family, _ in about},
                   "definitions": {metric: definition for metric, _, _, definition in about},
                   "labels": [c for c in frame.columns if c in _TEXT or c == "run"]}
    return frame


def tidy(frame):
    """A row a value: labels, metric, value, unit. wide() is the way back."""
    labels = frame.attrs["labels"]
    long = frame.melt(id_vars=labels, var_name="metric", value_name="value")
    long["unit"] = long["metric"].map(frame.attrs["units"]).fillna("")
    long.attrs = dict(frame.attrs)
    return long


def wide(long):
    """What tidy() was given: a column a metric, rows and columns in the order in which they first come."""
    labels = long.attrs["labels"]
    metrics = list(dict.fromkeys(long["metric"]))
    rows = len(long) // max(len(metrics), 1)
    frame = long[labels].iloc[:rows].reset_index(drop=True)
    values = {m: long["value"].iloc[i * rows:(i + 1) * rows].to_numpy() for i, m in enumerate(metrics)}
    if any((long["metric"].iloc[i * rows:(i + 1) * rows] != m).any() for i, m in enumerate(metrics)):
        raise ValueError("rows are not in the order in which tidy() left them: sort them so, or use DataFrame.pivot")
    frame = pandas.concat([frame, pandas.DataFrame(values)], axis=1)
    frame.attrs = dict(long.attrs)
    return frame
