"""Do the readers keep numbers, names, units and what is missing? usage: check_readers.py results.db metrics.csv odd.csv"""
import math
import sqlite3
import sys

import warpscape

results, metrics, odd = sys.argv[1:]

x = warpscape.read_frame(odd)
assert list(x["kernel"]) == ["NA", "f<{lambda()#1}>(int)", 'say "hi"'], list(x["kernel"])
assert math.isnan(x["a"][0]) and x["a"][1] == math.inf and x["a"][2] == 0.1 + 0.2
assert x.attrs["units"] == {"a": "bytes/s per SM"} and x.attrs["groups"] == {"a": "memory"}
assert x.attrs["notes"] == ["tool: by hand"] and x.attrs["labels"] == ["workload", "kernel"]
long = warpscape.tidy(x)
assert list(long.columns) == ["workload", "kernel", "metric", "value", "unit"] and len(long) == 6
assert warpscape.wide(long).equals(x)

k = warpscape.read_results(results, "workload_features").sort_values("workload", ignore_index=True)  # a view has no order
x = warpscape.read_frame(metrics)
assert list(k["workload"]) == list(x["workload"])
for column in x.columns[1:]:
    assert (k[column] == x[column]).all() and k.attrs["units"][column] == x.attrs["units"].get(column, ""), column
assert len(warpscape.read_results(results, "launches")) > len(k)
assert set(warpscape.read_results(results, "kernel_metrics", run=1)["run"]) == {1}
assert "kernel_metrics" in warpscape.views(results)


def refuses(words, function, *arguments):
    try:
        function(*arguments)
    except ValueError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)


refuses("there is no view nothing; there are about", warpscape.read_results, results, "nothing")
refuses("no results file with views", warpscape.views, odd)
with open("newer.csv", "w") as out:
    out.write("# warpscape frame 2\nworkload,a\nX,1\n")
refuses("a frame of format 2", warpscape.read_frame, "newer.csv")
with open("wrong.csv", "w") as out:
    out.write("# warpscape frame 1\n# labels: 1\nworkload,a\nX,one\n")
refuses("wrong.csv: column a: ", warpscape.read_frame, "wrong.csv")
sqlite3.connect("newer.db").executescript("CREATE VIEW about AS SELECT 2 AS views")
refuses("views of version 2", warpscape.views, "newer.db")
print("python: good")
