"""The JSON of `runnel bench` against the schema that the manual gives, and against itself: `bench_json.py FILE...`
prints what is wrong, nothing if all is right."""
import json  # SPDX-License-Identifier: MIT
import os
import re
import sys

MANUAL = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "app", "man", "runnel-bench.1.md")
SIMPLE = {"number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
          "text": lambda v: isinstance(v, str), "flag": lambda v: isinstance(v, bool)}


def read_schema():
    """name -> [(member, type, may be null)]; the members of another object where its name stands."""
    with open(MANUAL, encoding="utf-8") as f:
        text = re.search(r"^```schema\n(.*?)^```", f.read(), re.M | re.S)[1]
    schema = {}
    for name, members in re.findall(r"^(\w+): +(.*(?:\n +.*)*)", text, re.M):
        schema[name] = []
        for member in re.sub(r"\s*\([^)]*\)", "", " ".join(members.split())).split(", "):
            if member in schema:
                schema[name] += schema[member]
                continue
            found = re.fullmatch(r"(\w+) (list of \w+|\w+)(\??)", member)
            if not found:
                sys.exit(f"{MANUAL}: {name}: '{member}' is no member with its type")
            schema[name].append((found[1], found[2], bool(found[3])))
    return schema


class Check:
    def __init__(self, schema, record):
        self.schema, self.record, self.wrong = schema, record, []
        self.is_a("object", "suite" if "suite" in record else "input", record)
        for row in record.get("rows", []):
            self.is_a("row", record["suite"], row)
        if self.wrong:
            return
        for row in record.get("rows", []):
            getattr(self, record["suite"])(row)
        if "suite" not in record:
            self.input(record)

    def that(self, what, true):
        if not true and what not in self.wrong:
            self.wrong.append(what)

    def is_a(self, what, kind, value):
        if kind in SIMPLE:
            self.that(f"{what} is no {kind}", SIMPLE[kind](value))
        elif kind.startswith("list"):
            self.that(f"{what} is no list", isinstance(value, list))
            for v in value if kind != "list" else []:
                self.is_a(f"{what} of", kind.split()[-1], v)
        elif not isinstance(value, dict):
            self.that(f"{what} is no {kind}", False)
        else:
            self.members(what, kind, value)

    def members(self, what, kind, value):
        names = [m[0] for m in self.schema[kind]]
        self.that(f"{what}: {sorted(set(names) ^ set(value))} is in one of manual and JSON", set(names) == set(value))
        for name, type_, optional in self.schema[kind]:
            if name in value and not (optional and value[name] is None):
                self.is_a(f"{what} {name}", type_, value[name])
        if self.wrong:
            return
        if kind in ("spread", "repeated"):
            self.that(f"{what} is not in order", 0 <= value["min"] <= value["median"] <= value["max"])
        if kind == "repeated":
            self.repeated(what, value)

    def repeated(self, what, s):
        e = sorted(s["each"])
        self.that(f"{what}: as many as repeats", len(e) == self.record["repeats"])
        self.that(f"{what}: min and max", [s["min"], s["max"]] == [e[0], e[-1]])
        self.that(f"{what}: median", near(s["median"], (e[(len(e) - 1) // 2] + e[len(e) // 2]) / 2))

    # ---- what has to be true of the figures

    def devices(self, row):
        none = row["select"] == "none"
        self.that("plain C has no bus", (row["upload_pinned_s"] is None) == none)
        self.that("what is shared can be mapped", (row["map_s"] is not None) == (row["shares_memory"] is True))
        self.that("checked", none or row["checked"] == 20)

    def filters(self, row):
        size = {"gray": 1, "grayf32": 4}.get(row["format"], 2)
        speed = 2e-9 * row["width"] * row["height"] * size / row["frame_s"]["median"]
        self.that("speed", near(row["gb_per_s"], speed))
        self.that("copies", row["copies"] is None or
                  near(row["copies"]["median"], row["frame_s"]["median"] / row["copy_s"]))

    def streaming(self, row):
        self.that("slowest", row["slowest"] in ("upload", "kernels", "download") and row["frames"] > 0)

    def linear(self, row):
        scale = 1e-9 if row["unit"][0] == "G" else 1
        self.that("rate", near(row["rate"] * row["ours_s"]["median"], row["work"] * scale))
        self.that("right", row["right"] == (row["error"] <= row["tolerance"]))
        self.that("plain C", row["plain_s"] > 0 and 0 < row["plain_part"] <= 1)

    network = linear

    def input(self, record):
        measured = [d for d in record["devices"] if not d["failed"]]
        wall = {d["select"]: d["cases"][0]["wall_files_s"]["median"] for d in measured}
        self.that("fastest", wall[record["fastest"]] == min(wall.values()))
        for device in measured:
            for n, case in enumerate(device["cases"]):
                self.case(device, case, n)

    def case(self, device, c, n):
        record = self.record
        self.that("only the first case is as the input is", c["converted"] == (n > 0))
        self.that("files are of the first case", (c["wall_files_s"] is None) == (n > 0))
        self.that("bytes", c["bytes"] % (record["frames"] * c["bits"] // 8) == 0 and c["bytes"] > 0)
        self.that("lanes", 1 <= c["lanes"] <= c["inflight"])
        for i in range(record["repeats"]):
            def of(k):
                return c[k]["each"][i]
            self.that("the kernels are those of the stages",
                      near(of("kernels_s"), sum(s["total_s"]["each"][i] for s in c["stages"])))
            self.that("the sum", near(of("sum_s"), of("upload_s") + of("kernels_s") + of("download_s")))
            self.that("the run took time", of("wall_s") > 0)
            if n == 0:
                self.that("decoder and encoder are within", max(of("decode_s"), of("encode_s")) <= of("wall_files_s"))
        if n == 0:
            self.bound(c)
        for way in "upload", "download":
            copied, speed = c[way + "_bytes"], c[way + "_gb_per_s"]
            self.that("what is not copied has no speed", (speed is None) == (copied == 0))
            self.that("nothing is copied in the memory of the host", copied == 0 or device["shares_memory"] is not True)
            self.that("speed", not copied or near(speed, 1e-9 * copied / c[way + "_s"]["median"]))

    def bound(self, c):
        keys = {"decode": "decode_s", "upload": "files_upload_s", "kernels": "files_kernels_s",
                "download": "files_download_s", "encode": "encode_s"}
        parts = {k: c[v]["median"] for k, v in keys.items()}
        wall = c["wall_files_s"]["median"]
        self.that("longest", c["longest"] == max(parts, key=parts.get))
        self.that("its share", near(c["longest_share"], max(parts.values()) / wall))
        self.that("CPUs", c["cpu_share"] is None or
                  near(c["cpu_share"], c["files_cpu_s"]["median"] / wall / self.record["cpus"]))
        busy = c["longest"] if c["longest_share"] >= 0.6 else "cpu" if (c["cpu_share"] or 0) >= 0.85 else None
        self.that("bound", c["bound"] == busy)


def near(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b)) + 1e-9


def main():
    schema = read_schema()
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as f:
            print("; ".join(sorted(Check(schema, json.load(f)).wrong)))


main()
