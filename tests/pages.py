"""Answers, line by line, whether pictures are those that an expression over i (0, 1, 2...) gives: NAME|N|EXPRESSION, with
"yes" or what is wrong. NAME is a TIFF of N pages, or out, what `render ... md5:` printed."""
import sys  # SPDX-License-Identifier: MIT

import cv2
import numpy as np

from tiff import md5_lines


def fault(names, name, n, wanted):
    wants = [eval(wanted, {**names, "i": i}) for i in range(n)]
    if name == "out":
        lines, got = md5_lines(wants), open(name).readlines()
        return got != lines and "%d planes, not %d, or others" % (len(got), len(lines))
    ok, got = cv2.imreadmulti(name, flags=cv2.IMREAD_UNCHANGED)
    if not ok or len(got) != n:
        return "%s: %d pages, not %d" % (name, len(got), n)
    for i, (page, want) in enumerate(zip(got, wants)):
        page = page if page.ndim == 2 else page[:, :, ::-1] # OpenCV gives B G R
        if page.shape != want.shape or page.dtype != want.dtype or (page != want).any():
            return "%s: page %d is another" % (name, i)


def answer(names):
    """names: what the expressions may name, such as globals()."""
    for line in sys.stdin:
        name, n, wanted = line.rstrip("\n").split("|", 2)
        try:
            print(fault({"np": np, **names}, name, int(n), wanted) or "yes", flush=True)
        except Exception as e:
            print(name, repr(e), flush=True)
