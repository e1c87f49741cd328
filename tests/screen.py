"""What tests of the window see of it: does what the lines of stdin say, and answers each with a line on stdout.

take WINDOW NAME                the window as it is, to NAME.ppm
compare WxH+X+Y NAME NAME       the part of two pictures: same, other, or why not
wait WINDOW JUDGE WORDS         until the judge has nothing against the window: yes, or what it has. What was seen
                                last is now.ppm. A judge is a function of the pixels and the words; those below,
                                and more by
define FILE                     of Python

Pictures are PPM, as `take` and ImageMagick write them.
"""
import ctypes  # SPDX-License-Identifier: MIT
import os
import re
import sys
import time

import numpy as np

PATIENCE = 20
LUMA = 0.2126, 0.7152, 0.0722


class Image(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int),
                ("format", ctypes.c_int), ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int),
                ("bitmap_unit", ctypes.c_int), ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int),
                ("depth", ctypes.c_int), ("bytes_per_line", ctypes.c_int), ("bits_per_pixel", ctypes.c_int)]


x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
x11.XDefaultRootWindow.restype = ctypes.c_ulong
x11.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint,
                          ctypes.c_ulong, ctypes.c_int]
x11.XGetImage.restype = ctypes.POINTER(Image)
x11.XDestroyImage.argtypes = [ctypes.c_void_p]
x11.XGetGeometry.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + 7 * [ctypes.c_void_p]
x11.XTranslateCoordinates.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_int, ctypes.c_int] + \
    3 * [ctypes.c_void_p]
HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
ignore = HANDLER(lambda display, event: 0)  # windows go while they are looked at
x11.XSetErrorHandler(ignore)
display = x11.XOpenDisplay(None)
root = x11.XDefaultRootWindow(display)


def place(window):
    """Left, top, width and height on the screen, or None of a window that is gone."""
    parent, x, y = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_int()
    width, height, border, depth = (ctypes.c_uint() for _ in range(4))
    if not x11.XGetGeometry(display, window, *(ctypes.byref(v) for v in (parent, x, y, width, height, border, depth))):
        return None
    x11.XTranslateCoordinates(display, window, root, 0, 0, *(ctypes.byref(v) for v in (x, y, parent)))
    return x.value, y.value, width.value, height.value


def taken(window):
    """The pixels of the window that are on the screen."""
    screen, of = place(root), place(int(window))
    if of is None:
        return np.zeros((0, 0, 3), np.uint8)
    left, top = max(of[0], 0), max(of[1], 0)
    right, bottom = min(of[0] + of[2], screen[2]), min(of[1] + of[3], screen[3])
    image = x11.XGetImage(display, root, left, top, right - left, bottom - top, ctypes.c_ulong(-1).value, 2)
    if not image:
        return np.zeros((0, 0, 3), np.uint8)
    i = image.contents
    rows = np.frombuffer(ctypes.string_at(i.data, i.height * i.bytes_per_line), np.uint8)
    pixels = rows.reshape(i.height, i.bytes_per_line // 4, 4)[:, :i.width, 2::-1]
    x11.XDestroyImage(image)
    return pixels


def load(name):
    data = open(name + ".ppm", "rb").read()
    kind, width, height, top = data.split(maxsplit=4)[:4]
    assert (kind, top) == (b"P6", b"255"), f"{name} begins with {data[:20]}"
    width, height = int(width), int(height)
    return np.frombuffer(data, np.uint8)[-3 * width * height:].reshape(height, width, 3)


def save(name, pixels):
    with open("part.ppm", "wb") as file:
        file.write(b"P6 %d %d 255\n" % (pixels.shape[1], pixels.shape[0]) + pixels.tobytes())
    os.replace("part.ppm", name)


def part(pixels, geometry):
    width, height, x, y = (int(v) for v in re.fullmatch(r"(\d+)x(\d+)\+(\d+)\+(\d+)", geometry).groups())
    return pixels[y:y + height, x:x + width]


def compared(geometry, one, other):
    one, other = part(one, geometry), part(other, geometry)
    if one.shape != other.shape or not one.size:
        return "not to be compared"
    return "same" if np.array_equal(one, other) else "other"


# ---- judges

def same(now, geometry, name):
    verdict = compared(geometry, now, load(name))
    return verdict != "same" and verdict


def other(now, geometry, name):
    verdict = compared(geometry, now, load(name))
    return verdict != "other" and verdict


def zoomed(now, name, scale, left, top, *columns):
    """The window, but its lowest rows where messages are, is the picture at a scale with its corner at left, top,
    black around it; of the columns from..to only, below the names at the top."""
    picture, scale = load(name), int(scale)
    height, width = now.shape[:2]
    y, x = (np.arange(height) - int(top)) // scale, (np.arange(width) - int(left)) // scale
    inside = ((y >= 0) & (y < picture.shape[0]))[:, None] & ((x >= 0) & (x < picture.shape[1]))[None, :]
    want = picture[np.clip(y, 0, picture.shape[0] - 1)][:, np.clip(x, 0, picture.shape[1] - 1)]
    start, stop = [int(v) for v in columns] or [0, width]
    first, last = 40 if columns else 0, height - max(40, height // 8)
    bad = np.argwhere((now != want * inside[:, :, None]).any(axis=2)[first:last, start:stop])
    return len(bad) and f"{len(bad)} pixels differ, first at {bad[0][::-1]}"


def means(now, wanted, *places):
    """The mean luma of the 8x8 pixels at x, y, at x, y ..., joined by commas: grays are dithered."""
    got = ",".join(str(int((now[int(y):int(y) + 8, int(x):int(x) + 8] @ LUMA).mean() + 0.5))
                   for x, y in zip(places[::2], places[1::2]))
    return got != wanted and f"{got}, not {wanted}"


def other_means(now, unwanted, *places):
    return not means(now, unwanted, *places) and f"still {unwanted}"


def colour(now, wanted, x, y):
    got = ",".join(str(v) for v in now[int(y), int(x)])
    return got != wanted and f"{got}, not {wanted}"


def within(now, geometry, lowest, highest):
    values = part(now, geometry)
    return not (int(lowest) <= values.min() and values.max() <= int(highest)) and \
        f"values from {values.min()} to {values.max()}"


def bright(now, geometry, least):
    most = part(now, geometry).max()
    return most < int(least) and f"at most {most}"


def lit_pixels(pixels, geometry):
    return int((part(pixels, geometry) @ LUMA > 127).sum())


def lit(now, geometry, least, most):
    got = lit_pixels(now, geometry)
    return not int(least) <= got <= int(most) and f"{got} bright pixels, not {least} to {most}"


def as_bright(now, geometry, place, name):
    got, want = lit_pixels(now, geometry), lit_pixels(load(name), place)
    return got != want and f"{got} bright pixels, not {want}"


# ---- what is asked

def take(window, name):
    save(name + ".ppm", taken(window))
    return "yes"


def compare(geometry, one, another):
    return compared(geometry, load(one), load(another))


def wait(window, judge, *words):
    end, pause = time.monotonic() + PATIENCE, 0.01
    while True:
        now = taken(window)
        try:  # a window that comes, goes or changes its size may be too small for a judge
            wrong = globals()[judge](now, *words) if now.size else "an empty picture"
        except (ValueError, IndexError) as error:
            wrong = repr(error)
        if not wrong or time.monotonic() > end:
            save("now.ppm", now)
            return wrong or "yes"
        time.sleep(pause)
        pause = min(1.3 * pause, 0.05)


def define(name):
    exec(open(name).read(), globals())
    return "yes"


QUESTIONS = {f.__name__: f for f in (take, compare, wait, define)}
for line in sys.stdin:
    question, *words = line.split()
    try:
        answer = QUESTIONS[question](*words)
    except (OSError, ValueError, AssertionError, IndexError, KeyError) as error:
        answer = repr(error)
    print(str(answer).replace("\n", " "), flush=True)
